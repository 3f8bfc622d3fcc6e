package task

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	onWindows  = true
	separators = `/\:`
)

// group is a job object: what a process of it starts belongs to it too, and
// it ends all of them when it is closed, also when this process dies.
type group struct {
	cmd  *exec.Cmd
	job  windows.Handle
	once sync.Once
}

var resume = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

func start(cmd *exec.Cmd, _ string) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
		LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
	}}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	// Suspended, so that nothing is started before the job holds it.
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED, HideWindow: true}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	g := &group{cmd: cmd, job: job}
	if err := g.adopt(); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		windows.CloseHandle(job)
		return nil, err
	}
	return g, nil
}

func (g *group) adopt() error {
	const need = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE | windows.PROCESS_SUSPEND_RESUME
	h, err := windows.OpenProcess(need, false, uint32(g.cmd.Process.Pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	if err := windows.AssignProcessToJobObject(g.job, h); err != nil {
		return err
	}
	if status, _, _ := resume.Call(uintptr(h)); status != 0 {
		return windows.NTStatus(status)
	}
	return nil
}

func (g *group) wait() { g.cmd.Wait() }

// ask does nothing: a program without a window cannot be asked on Windows.
func (g *group) ask() {}

func (g *group) kill() {
	g.once.Do(func() {
		windows.TerminateJobObject(g.job, 1)
		windows.CloseHandle(g.job)
	})
}

func (g *group) reap() *os.ProcessState { return g.cmd.ProcessState }

func signalOf(*os.ProcessState) (int, bool) { return 0, false }
