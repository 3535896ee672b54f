//go:build linux

package runner_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/procs"
)

// victim starts a daemon as a child process, with one task. The test may kill and stop it.
func victim(t *testing.T, dir, isolation string, command []string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(self(), append([]string{"daemon", dir, isolation}, command...)...)
	begin(t, cmd, isolation)
	return cmd
}

// begin starts a daemon, and returns a function that sets its deadline.
func begin(t *testing.T, cmd *exec.Cmd, isolation string) (extend func(in time.Duration)) {
	t.Helper()
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	if lines.Text() != isolation {
		t.Skip("this machine does not allow it: ", lines.Text())
	}
	return func(until time.Duration) {
		_, err := fmt.Fprintln(in, int64(until))
		require.NoError(t, err)
		require.True(t, lines.Scan())
		require.Equal(t, "extended", lines.Text())
	}
}

// shims lists the shims of a daemon.
func shims(t *testing.T, daemon *exec.Cmd) []int {
	t.Helper()
	var found []int
	for _, pid := range alive(self() + " shim") {
		stat := read(t, "/proc/"+itoa(pid)+"/stat")
		if strings.Contains(stat, ") S "+itoa(daemon.Process.Pid)+" ") {
			found = append(found, pid)
		}
	}
	return found
}

// DiesWithDaemon: the tree is gone after the daemon was killed, and nothing is left for the next
// incarnation to do but to forget it.
func TestDaemonIsKilled(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		dir, command := t.TempDir(), sleep()
		cmd := victim(t, dir, isolation, sh("setsid -f env -i "+command+"; "+command))
		becomes(t, command, 2)
		cgroups := cgroupsIn(t, dir)
		assert.Equal(t, isolation == runner.Cgroup, len(cgroups) == 1)
		at := time.Now()
		require.NoError(t, cmd.Process.Kill())
		becomes(t, command, 0)
		t.Log("nothing was left after", time.Since(at).Round(time.Millisecond))
		for _, folder := range cgroups {
			require.Eventually(t, func() bool {
				_, err := os.Stat(folder)
				return os.IsNotExist(err)
			}, patience, time.Millisecond, "the shim removes %s", folder)
		}
		cmd.Wait() // its tasks can be gone before its lock is
		r, err := runner.New(runner.Config{Binary: self(), Dir: dir, Isolation: isolation})
		require.NoError(t, err)
		require.NoError(t, r.Close())
		left, err := filepath.Glob(dir + "/*.task")
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}

// cgroupsIn lists the cgroups of the tasks in a runner's folder.
func cgroupsIn(t *testing.T, dir string) (folders []string) {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.task")
	require.NoError(t, err)
	for _, file := range files {
		if _, rest, ok := strings.Cut(read(t, file), `"Cgroup":"`); ok {
			folder, _, _ := strings.Cut(rest, `"`)
			folders = append(folders, folder)
		}
	}
	return folders
}

// DiesAtDeadline: the daemon is stopped and cannot help.
func TestDaemonIsStopped(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		command := sleep()
		cmd := exec.Command(self(), "daemon", t.TempDir(), isolation, "sh", "-c",
			"setsid -f env -i "+command+"; "+command)
		extend := begin(t, cmd, isolation)
		becomes(t, command, 2)
		extend(300 * time.Millisecond)
		require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP))
		becomes(t, command, 0)
	})
}

// NotOthers: a runner on a copy of the folder ends nothing while the daemon of the original runs.
// Once that daemon has ended, it does.
func TestACopyOfTheFolderEndsNoTasks(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		dir, command := t.TempDir(), sleep()
		copied := filepath.Join(t.TempDir(), "copy")
		cmd := victim(t, dir, isolation, sh("setsid -f "+command+"; "+command))
		becomes(t, command, 2)
		require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
		for range 2 { // the first try leaves the copy as it is
			_, err := runner.New(runner.Config{Binary: self(), Dir: copied, Isolation: isolation})
			require.ErrorIs(t, err, runner.ErrCopied)
			require.ErrorContains(t, err, "as process "+itoa(cmd.Process.Pid))
		}
		require.Len(t, alive(command), 2)

		found := shims(t, cmd)
		require.Len(t, found, 1)
		require.NoError(t, syscall.Kill(found[0], syscall.SIGSTOP))
		require.NoError(t, cmd.Process.Kill())
		r, err := runner.New(runner.Config{Binary: self(), Dir: copied, Isolation: isolation})
		require.NoError(t, err)
		require.Empty(t, alive(command))
		require.NoError(t, r.Close())
		cmd.Wait()
	})
}

// NothingLeft: the shim of an earlier incarnation is stopped, so that it did not see the end of its
// daemon. The kernel ends a PID namespace without it.
func TestLeftoverOfStoppedShim(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		dir, command := filepath.Join(t.TempDir(), "[a]*"), sleep() // a name, and no pattern
		cmd := victim(t, dir, isolation, sh("setsid -f env -i "+command+"; "+command))
		becomes(t, command, 2)
		found := shims(t, cmd)
		require.Len(t, found, 1)
		require.NoError(t, syscall.Kill(found[0], syscall.SIGSTOP))
		require.NoError(t, cmd.Process.Kill())
		cmd.Wait()
		if isolation == runner.PIDNamespace {
			becomes(t, command, 0)
		} else {
			assert.Len(t, alive(command), 2)
		}
		r, err := runner.New(runner.Config{Binary: self(), Dir: dir, Isolation: isolation})
		require.NoError(t, err)
		assert.Empty(t, alive(command))
		require.NoError(t, r.Close())
	})
}

// NothingLeft: the shim of an earlier incarnation is stopped whenever it goes on, and so is killed.
func TestLeftoverOfAShimThatDoesNotGoOn(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		dir, command := t.TempDir(), sleep()
		cmd := victim(t, dir, isolation, sh("setsid -f "+command+"; "+command))
		becomes(t, command, 2)
		shim := shims(t, cmd)[0]
		shimmed, err := procs.Read(shim)
		require.NoError(t, err)
		release := stop(t, shim)
		require.NoError(t, cmd.Process.Kill())
		cmd.Wait()
		r, err := runner.New(runner.Config{Binary: self(), Dir: dir, Isolation: isolation})
		release()
		require.NoError(t, err)
		assert.Empty(t, alive(command))
		fd, err := procs.Open(shim, shimmed.Start)
		assert.ErrorIs(t, err, procs.ErrEnded, "%d", fd)
		require.NoError(t, r.Close())
	})
}

// stop stops a process whenever it goes on, until it is released.
func stop(t *testing.T, pid int) (release func()) {
	t.Helper()
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	over := make(chan struct{})
	var stopper sync.WaitGroup
	stopper.Go(func() {
		for again := true; again; {
			syscall.Kill(pid, syscall.SIGSTOP)
			select {
			case <-over:
				again = false
			case <-time.After(100 * time.Microsecond):
			}
		}
	})
	return func() {
		close(over)
		stopper.Wait()
	}
}

// NothingLeft: shim and daemon of an earlier incarnation were killed. Where the kernel does not end
// the tree, its files say what to look for.
func TestLeftoverWithoutShim(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		dir, command := t.TempDir(), sleep()
		cmd := victim(t, dir, isolation, sh("setsid -f "+command+"; "+command))
		becomes(t, command, 2)
		require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP)) // it must not clean up
		require.NoError(t, syscall.Kill(shims(t, cmd)[0], syscall.SIGKILL))
		require.NoError(t, cmd.Process.Kill())
		cmd.Wait()
		r, err := runner.New(runner.Config{Binary: self(), Dir: dir, Isolation: isolation})
		require.NoError(t, err)
		assert.Empty(t, alive(command))
		require.NoError(t, r.Close())
	})
}

// A file of another boot, or of a process whose number is in use again, ends nothing.
func TestLeftoverOfAnotherBoot(t *testing.T) {
	dir, command := t.TempDir(), sleep()
	bystander := exec.Command("sleep", strings.Fields(command)[1])
	require.NoError(t, bystander.Start())
	defer bystander.Wait()
	defer bystander.Process.Kill()
	boot := strings.TrimSpace(read(t, "/proc/sys/kernel/random/boot_id"))
	stat := strings.Fields(read(t, "/proc/"+itoa(bystander.Process.Pid)+"/stat"))
	for name, text := range map[string]string{
		"1": `{"Boot":"another","PID":` + itoa(bystander.Process.Pid) + `,"Start":"` + stat[21] +
			`","Isolation":"pid-namespace"}`,
		"2": `{"Boot":"` + boot + `","PID":` + itoa(bystander.Process.Pid) + `,"Start":"1","Isolation":"pid-namespace"}`,
		"3": `{"Boot":"` + boot + `","PID":99999999,"Start":"1","Isolation":"subreaper","Mark":"CANVASS_TREE=none"}`,
		"4": `{"Bo`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".task"), []byte(text), 0o600))
	}
	r, err := runner.New(runner.Config{Binary: self(), Dir: dir})
	require.NoError(t, err)
	defer r.Close()
	assert.Len(t, alive(command), 1)
	left, err := filepath.Glob(dir + "/*.task")
	require.NoError(t, err)
	assert.Empty(t, left)
}

// WholeTree: the shim is killed from outside, or gets a signal to end. Done fires only after the
// tree is gone, and reports the task as lost: the daemon did not end it.
func TestShimIsKilled(t *testing.T) {
	for signal, says := range map[syscall.Signal]string{
		syscall.SIGKILL: "has ended (signal: killed)", syscall.SIGTERM: "at a signal from outside",
	} {
		t.Run(signal.String(), func(t *testing.T) { testShimGetsSignal(t, signal, says) })
	}
}

func testShimGetsSignal(t *testing.T, signal syscall.Signal, says string) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		p, _ := start(t, r, runner.Task{Command: sh("setsid -f " + command + "; " + command)})
		becomes(t, command, 2)
		found := alive(self() + " shim")
		require.Len(t, found, 1)
		require.NoError(t, syscall.Kill(found[0], signal))
		got := exit(t, p)
		assert.Contains(t, got.Error, says)
		got.Error = ""
		assert.Equal(t, runner.Exit{Code: 137, Signal: 9, Killed: true, Lost: true}, got)
		assert.Empty(t, alive(command))
	})
}

// A task may make cgroups in its own, where it is allowed to. They go with it.
func TestATaskThatMakesCgroups(t *testing.T) {
	r := open(t, runner.Cgroup)
	e, out, _ := run(t, r, runner.Task{
		Command: sh(`read _ path < /proc/self/cgroup; while IFS=: read id kind path; do
			[ "$id" != 0 ] || own=$(find /sys/fs/cgroup -path "*$path" -type d | head -n 1)
		done < /proc/self/cgroup; mkdir -p "$own/a/b" && echo "$own"`),
	})
	require.Zero(t, e.Code)
	assert.NoDirExists(t, strings.TrimSpace(out))
}

// WholeTree: a process whose first thread has ended is shown as a zombie, and its other threads go
// on. It ends with its task anyway, whether its shim ends it or was killed.
func TestAProcessWithoutItsFirstThreadEnds(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprint("shim killed ", killed), func(t *testing.T) {
			each(t, func(t *testing.T, isolation string) {
				r := open(t, isolation)
				p, dir := start(t, r, runner.Task{Command: sh(self() + " headless lock & " + sleep())})
				name := filepath.Join(dir, "lock")
				require.Eventually(t, func() bool { return read(t, name) == "locked" }, patience, time.Millisecond)
				shim := alive(self() + " shim")
				require.Len(t, shim, 1)
				if killed {
					require.NoError(t, syscall.Kill(shim[0], syscall.SIGKILL))
				} else {
					p.Kill(false)
				}
				assert.Equal(t, 137, exit(t, p).Code)
				lock, err := os.Open(name)
				require.NoError(t, err)
				defer lock.Close()
				assert.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), "it goes on")
			})
		})
	}
}

// The OOM killer is named when the kernel has counted it as a task, or its shim, was killed: for
// the task that is a failure, and for the shim a loss. Nothing is said of an earlier count, of
// another end, of a kill by the daemon, or where nothing counts.
func TestTheOOMKillerIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		before, command      string
		shim, asked, nothing bool
		ends                 bool // the shim is asked, and not killed
		named, lost          bool
	}{
		"the command":     {before: "low 0\noom_kill 2\n", command: "COUNT; kill -9 $$", named: true},
		"another process": {before: "oom_kill 0\n", command: "COUNT; sh -c 'kill -9 $$'", named: true},
		"the shim": {
			before: "oom_kill 0\n", command: "COUNT; echo > up; sleep 60", shim: true, named: true, lost: true,
		},
		"the shim asks itself": {
			before: "oom_kill 0\n", command: "COUNT; echo > up; sleep 60", shim: true, ends: true, lost: true,
		},
		"a shim, no count": {before: "oom_kill 3\n", command: "echo > up; sleep 60", shim: true, lost: true},
		"asked to end":     {before: "oom_kill 0\n", command: "COUNT; echo > up; sleep 60", asked: true},
		"before":           {before: "oom_kill 3\n", command: "kill -9 $$"},
		"another end":      {before: "oom_kill 0\n", command: "COUNT; exit 3"},
		"success":          {before: "oom_kill 0\n", command: "COUNT"},
		"no count":         {nothing: true, command: "kill -9 $$"},
		"not a number":     {before: "oom_kill many\n", command: "kill -9 $$"},
		"no such line":     {before: "oom 7\noom_group_kill 1\n", command: "kill -9 $$"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, isolation string) {
				r := open(t, isolation)
				above := t.TempDir()
				events := filepath.Join(above, "memory.events")
				if !test.nothing {
					require.NoError(t, os.WriteFile(events, []byte(test.before), 0o600))
				}
				runner.CountMemory(r, filepath.Join(above, "of", "tasks"))
				p, dir := start(t, r, runner.Task{
					Command: sh(strings.ReplaceAll(test.command, "COUNT", "echo 'oom_kill 9' > "+events)),
				})
				if test.shim || test.asked {
					require.Eventually(t, func() bool {
						_, err := os.Stat(filepath.Join(dir, "up"))
						return err == nil
					}, patience, time.Millisecond)
				}
				if test.shim {
					signal := syscall.SIGKILL
					if test.ends {
						signal = syscall.SIGTERM
					}
					require.NoError(t, syscall.Kill(alive(self() + " shim")[0], signal))
				}
				if test.asked {
					p.Kill(false)
				}
				got := exit(t, p)
				assert.Equal(t, test.lost, got.Lost)
				assert.Equal(t, test.named && !test.lost, got.OOM)
				assert.Equal(t, test.named && test.lost, strings.Contains(got.Error, "OOM killer"), got.Error)
			})
		})
	}
}

// A task whose user has no process left, so that fork says EAGAIN, is lost: its command is not to
// blame. It runs once there is room. The kernel counts processes of a user namespace separately, so
// that they do not meet this limit.
func TestNoProcessIsLeft(t *testing.T) {
	dir := folderWithSecrets(t)
	cmd := asNobody(t, filepath.Dir(dir), runner.Subreaper, "")
	const alone = nobody - 1000 // no other user's processes count
	require.NoError(t, os.Chown(dir, alone, alone))
	cmd.Args[1], cmd.SysProcAttr.Credential.Uid = "crowd", alone
	out, err := cmd.Output()
	require.NoError(t, err)
	first, second, _ := strings.Cut(string(out), "\n")
	assert.Regexp(t, "^lost true, .*(resource temporarily unavailable|its shim, which holds)", first)
	assert.Equal(t, "lost false, code 0: \n", second)
}

// A shim that is stopped does not keep its task from being killed, even if it is stopped again and
// again.
func TestKillWithStoppedShim(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		p, _ := start(t, r, runner.Task{Command: sh("setsid -f " + command + "; " + command)})
		becomes(t, command, 2)
		release := stop(t, alive(self() + " shim")[0])
		p.Kill(false)
		assert.Equal(t, runner.Exit{Code: 137, Signal: 9, Killed: true}, exit(t, p))
		release()
		assert.Empty(t, alive(command))
	})
}

// Without root, a user namespace gives the right to make a PID namespace.
func TestWithoutRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("all tests run without root already")
	}
	dir, err := os.MkdirTemp("", "canvass-runner")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	require.NoError(t, os.Chmod(dir, 0o755))
	data := filepath.Join(dir, "data")
	require.NoError(t, os.Mkdir(data, 0o700))
	require.NoError(t, os.Chown(data, nobody, nobody))
	binary, err := os.ReadFile(self())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "binary"), binary, 0o755))

	command := sleep()
	cmd := exec.Command(filepath.Join(dir, "binary"), "daemon", data, runner.PIDNamespace, "sh", "-c",
		"grep -E 'Uid|CapEff|CapAmb' /proc/self/status; setsid -f "+command+"; "+command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	begin(t, cmd, runner.PIDNamespace)
	becomes(t, command, 2)
	assert.Equal(t, "Uid:\t65534\t65534\t65534\t65534\nCapEff:\t0000000000000000\nCapAmb:\t0000000000000000\n",
		read(t, filepath.Join(data, "out")))
	require.NoError(t, cmd.Process.Kill())
	becomes(t, command, 0)
}
