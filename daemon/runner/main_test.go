//go:build linux

package runner_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// The test binary is also the daemon that the tests kill and stop.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "daemon" {
		daemon(os.Args[2], os.Args[3], os.Args[4:])
	}
	if len(os.Args) > 2 && os.Args[1] == "crowd" {
		crowd(os.Args[2])
		os.Exit(0)
	}
	if len(os.Args) == 2 && os.Args[1] == "asks" {
		asks()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// A process of a task whose first thread has ended, while others hold a lock on a file.
func init() {
	if len(os.Args) != 3 || os.Args[1] != "headless" {
		return
	}
	runtime.LockOSThread()
	file, err := os.Create(os.Args[2])
	if err == nil {
		err = unix.Flock(int(file.Fd()), unix.LOCK_EX)
	}
	if err != nil {
		panic(err)
	}
	for range 2 {
		go func() { time.Sleep(time.Hour); file.Close() }()
	}
	if _, err := file.WriteString("locked"); err != nil {
		panic(err)
	}
	for {
		syscall.Syscall(syscall.SYS_EXIT, 0, 0, 0)
	}
}

// asks prints whether a process of this one, which itself is in a task, is in a task.
func asks() {
	below := exec.Command("sleep", "1000")
	if err := below.Start(); err != nil {
		panic(err)
	}
	fmt.Println(runner.InTask(below.Process.Pid))
	_ = below.Process.Kill()
	_ = below.Wait()
}

// crowd runs a command twice, and prints how it ends: while the user has as many processes as tasks
// may have, but not yet as many as the daemon, and when they are gone.
func crowd(dir string) {
	fail := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	r, err := runner.New(runner.Config{Binary: self(), Dir: dir, Isolation: runner.Subreaper})
	fail(err)
	runtime.LockOSThread() // the others end with the thread that has started them
	var others []*exec.Cmd
	for range 150 {
		other := exec.Command("sleep", "1000")
		other.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		fail(other.Start())
		others = append(others, other)
	}
	most := uint64(len(others)+1) * 4 / 3
	fail(unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: most, Max: most}))
	for range 2 {
		p, err := r.Start(runner.Task{ID: "1", Command: []string{"true"}, Dir: "/"})
		fail(err)
		exit := <-p.Done()
		fmt.Printf("lost %v, code %d: %s\n", exit.Lost, exit.Code, strings.ReplaceAll(exit.Error, "\n", " "))
		for _, other := range others {
			_ = other.Process.Kill()
			_ = other.Wait()
		}
		others = nil
	}
	fail(r.Close())
}

// daemon runs a command until the process is killed. It prints a line when the task has begun: the
// isolation, or why there is none. Then it reads times until the deadline.
func daemon(dir, isolation string, command []string) {
	work := filepath.Join(dir, workFolder, "1")
	hide := func() []string { return []string{dir} }
	if _, err := os.Stat(work); err != nil {
		work, hide = "/", nil
	}
	r, err := runner.New(runner.Config{
		Binary: self(), Dir: dir, Isolation: isolation, Veil: os.Getenv("VEIL"), Hide: hide,
	})
	if err != nil {
		fmt.Println("no isolation:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(0)
	}
	for i, word := range command {
		command[i] = strings.ReplaceAll(word, "$PID", strconv.Itoa(os.Getpid()))
	}
	task := runner.Task{ID: "1", Command: command, Dir: work, Stdout: dir + "/out"}
	if text := os.Getenv("TASK_USER"); text != "" {
		user, err := strconv.ParseUint(text, 10, 32)
		if err == nil {
			task.User, err = uint32(user), runner.Chown(work, uint32(user))
		}
		if err != nil {
			panic(err)
		}
	}
	if _, err := r.Start(task); err != nil {
		panic(err)
	}
	fmt.Println(r.Isolation())
	for {
		var in time.Duration // of the deadline, in nanoseconds
		if _, err := fmt.Scanln(&in); err != nil {
			select {}
		}
		r.Extend(shim.Boottime() + in)
		fmt.Println("extended")
	}
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}
