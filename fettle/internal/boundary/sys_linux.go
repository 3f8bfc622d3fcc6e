package boundary

import "golang.org/x/sys/unix"

// searchFlag opens a folder to start from without asking for its listing, so
// that a folder that may be passed but not listed works as it does elsewhere.
const searchFlag = unix.O_PATH

// Disks that x/sys/unix has no name for.
const (
	zfsMagic      = 0x2FC12FC1
	bcachefsMagic = 0xCA451A4E
)

// local reports a disk of this machine. Only the ones that are known to be are:
// NFS, SMB, 9p and what FUSE brings may tell times from a cache.
func (d sysDir) local() bool {
	var st unix.Statfs_t
	if again(func() error { return unix.Fstatfs(d.n(), &st) }) != nil {
		return false
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, zfsMagic, bcachefsMagic:
		return true
	}
	return false
}
