package screen

const envFloor = 1 // SYSTEMROOT, which Windows programs cannot start without
