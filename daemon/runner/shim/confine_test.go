//go:build linux

package shim_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// nobody is a user without rights.
const nobody = 65534

// refused says that the machine has limits below those of a task.
const refused = "refused"

// all are all capabilities.
const all = ^uint32(0)

// confined changes its thread as the words say, confines it, and prints the resulting state.
func confined(isolation string, words []string) {
	runtime.LockOSThread()
	order := shim.Order{Isolation: isolation}
	for _, word := range words {
		switch word {
		case "inheritable":
			capabilities(all, all)
			for _, c := range []uintptr{unix.CAP_CHOWN, unix.CAP_BPF} {
				must(unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, c, 0, 0))
			}
		case "unbounded":
			for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
				must(unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0))
			}
		case "limited":
			for _, resource := range []int{unix.RLIMIT_CORE, unix.RLIMIT_NOFILE, unix.RLIMIT_NPROC, unix.RLIMIT_FSIZE} {
				must(unix.Setrlimit(resource, &unix.Rlimit{Cur: 100, Max: 400}))
			}
		case "unlimited":
			for _, resource := range []int{unix.RLIMIT_CORE, unix.RLIMIT_NPROC, unix.RLIMIT_FSIZE} {
				if unix.Setrlimit(resource, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}) != nil {
					fmt.Print(refused)
					return
				}
			}
			must(unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 400, Max: 400}))
		case "told":
			order.Processes = 200
		case "few":
			capabilities(1<<unix.CAP_SETUID, 0)
		case "mounts":
			order.Veil = veil.Mounts
		case "nobody":
			_, _, err := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody)
			if err != 0 {
				panic(err)
			}
		}
	}
	if err := shim.Confine(order); err != nil {
		fmt.Println("error:", err)
		return
	}
	if slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(word, "limited") }) {
		for _, resource := range []int{unix.RLIMIT_CORE, unix.RLIMIT_NOFILE, unix.RLIMIT_NPROC, unix.RLIMIT_FSIZE} {
			var now unix.Rlimit
			must(unix.Getrlimit(resource, &now))
			fmt.Print(now.Cur, "/", now.Max, " ")
		}
		return
	}
	text, err := os.ReadFile("/proc/thread-self/status")
	must(err)
	for line := range strings.Lines(string(text)) {
		for _, name := range []string{"CapInh", "CapBnd", "CapAmb", "NoNewPrivs"} {
			if value, ok := strings.CutPrefix(line, name+":\t"); ok {
				fmt.Printf("%s %s ", name, strings.TrimLeft(strings.TrimSpace(value), "0"))
			}
		}
	}
	var reaper int32
	must(unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&reaper)), 0, 0, 0))
	fmt.Printf("reaper %d umask %o\n", reaper, unix.Umask(0))
}

// capabilities bounds what the thread may do, and gives it inheritable ones.
func capabilities(effective, inheritable uint32) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	must(unix.Capget(&header, &sets[0]))
	for i := range sets {
		sets[i].Permitted &= effective
		sets[i].Effective &= effective
		sets[i].Inheritable = sets[i].Permitted & inheritable
		if effective != all && i == 1 {
			sets[i] = unix.CapUserData{}
		}
	}
	must(unix.Capset(&header, &sets[0]))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// The command does not inherit the rights that a thread has before it is confined, and a right that
// cannot be dropped is an error. If there is nothing to drop, dropping needs no right.
func TestConfine(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has rights to lose")
	}
	const confined = "CapInh  CapBnd  CapAmb  NoNewPrivs 1 reaper "
	for name, test := range map[string]struct {
		words []string
		want  string
	}{
		"all rights":           {[]string{shim.Subreaper}, confined + "1 umask 77"},
		"inheritable":          {[]string{shim.Subreaper, "inheritable"}, confined + "1 umask 77"},
		"limits of the daemon": {[]string{shim.Subreaper, "limited"}, "0/0 100/300 100/300 100/400"},
		"less than its share":  {[]string{shim.Subreaper, "limited", "told"}, "0/0 100/300 100/200 100/400"},
		"no limits": {
			[]string{shim.Subreaper, "unlimited"}, "0/0 300/300 16384/16384 1099511627776/1099511627776",
		},
		"of a cgroup":          {[]string{shim.Cgroup}, confined + "1 umask 77"},
		"of a namespace":       {[]string{shim.PIDNamespace}, confined + "0 umask 77"},
		"nothing to take away": {[]string{shim.Subreaper, "unbounded", "few"}, confined + "1 umask 77"},
		"no right to take away": {
			[]string{shim.Subreaper, "few"}, "error: drop capability 0 of tasks: operation not permitted",
		},
		"mounts are refused": {
			[]string{shim.PIDNamespace, "unbounded", "few", "mounts"},
			"error: make a mount namespace: operation not permitted",
		},
		"mounts are not needed":  {[]string{shim.PIDNamespace, "unbounded", "few"}, confined + "0 umask 77"},
		"mounts of another user": {[]string{shim.PIDNamespace, "unbounded", "nobody", "mounts"}, confined + "0 umask 77"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(self(), append([]string{"confine"}, test.words...)...)
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS} // its mounts are its own
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			if string(out) == refused {
				t.Skip("the limits of this machine are fixed")
			}
			assert.Equal(t, test.want, strings.TrimSpace(string(out)))
		})
	}
}
