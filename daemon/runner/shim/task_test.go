//go:build linux

package shim_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// patience bounds every wait of the tests.
const patience = 20 * time.Second

// served is a shim, as a daemon sees it.
type served struct {
	t       *testing.T
	cmd     *exec.Cmd
	control net.Conn
	says    bytes.Buffer // to be read once it has ended
}

// serve starts a shim with these descriptors instead of new ones, if given.
func serve(t *testing.T, control, deadline *os.File) *served {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	conn, err := net.FileConn(ours)
	require.NoError(t, err)
	ours.Close()
	defer theirs.Close()
	d, err := shim.NewDeadline()
	require.NoError(t, err)
	defer d.Close()
	if control == nil {
		control = theirs
	}
	if deadline == nil {
		deadline = d.File
	}
	s := &served{t: t, cmd: exec.Command(self(), shim.Argument), control: conn}
	s.cmd.Stderr = &s.says
	s.cmd.Env = append(os.Environ(), shim.Variable+"=1")
	s.cmd.ExtraFiles = []*os.File{control, deadline}
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() {
		conn.Close()
		s.cmd.Process.Kill()
		s.cmd.Wait()
	})
	require.NoError(t, conn.SetDeadline(time.Now().Add(patience)))
	return s
}

// begin gives a shim its order.
func begin(t *testing.T, o shim.Order) *served {
	t.Helper()
	s := serve(t, nil, nil)
	if o.Isolation == "" {
		o.Isolation = shim.Subreaper
	}
	if o.Task.Dir == "" {
		o.Task.Dir = t.TempDir()
	}
	require.NoError(t, shim.Send(s.control, o))
	return s
}

// end returns the answer of a shim, which has ended after it.
func (s *served) end() (exit shim.Exit) {
	s.t.Helper()
	require.NoError(s.t, shim.Receive(s.control, &exit))
	require.NoError(s.t, s.cmd.Wait())
	return exit
}

func sh(script string) []string { return []string{"sh", "-c", script} }

// up waits until a task has made the file "up".
func up(t *testing.T, dir string) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "up"))
		return err == nil
	}, patience, time.Millisecond)
}

// A shim does nothing without the descriptors of a daemon, and nothing without an order.
func TestNoShimWithoutADaemon(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer file.Close()
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	for name, s := range map[string]*served{"control": serve(t, file, nil), "deadline": serve(t, nil, null)} {
		assert.ErrorContains(t, s.cmd.Wait(), "exit status 2", name)
	}
	s := serve(t, nil, nil)
	require.NoError(t, s.control.Close())
	assert.ErrorContains(t, s.cmd.Wait(), "exit status 1", "no order")
	s = serve(t, nil, nil)
	_, err = s.control.Write([]byte("\x00\x00\x00\x02[]"))
	require.NoError(t, err)
	assert.ErrorContains(t, s.cmd.Wait(), "exit status 1", "no order, but a list")
}

// A program is a shim only by its one argument and its variable.
func TestWhatIsAShim(t *testing.T) {
	for _, test := range []struct {
		args  []string
		named bool
		is    bool
	}{
		{[]string{"shim"}, true, true}, {[]string{"shim"}, false, false}, {[]string{"shims"}, true, false},
		{[]string{"shim", "more"}, true, false}, {nil, true, false},
	} {
		cmd := exec.Command(self(), test.args...)
		cmd.Env = append(os.Environ(), noTests+"=1")
		if test.named {
			cmd.Env = append(cmd.Env, shim.Variable+"=")
		}
		require.Error(t, cmd.Run())
		want := map[bool]int{true: 2, false: otherwise}[test.is]
		assert.Equal(t, want, cmd.ProcessState.ExitCode(), "%v", test)
	}
}

// A probe runs no command, and shows that all steps before it work.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	s := begin(t, shim.Order{Probe: true, Task: shim.Task{Command: sh("echo > up"), Dir: dir}})
	assert.Equal(t, shim.Exit{}, s.end())
	assert.NoFileExists(t, filepath.Join(dir, "up"))
}

// A task reads its input, from a file or of nothing, and is lost if that cannot be opened.
func TestInput(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, []byte("line\n"), 0o600))
	for name, want := range map[string]string{in: "line\n", "": ""} {
		s := begin(t, shim.Order{Task: shim.Task{Command: []string{"cat"}, Stdin: name, Stdout: out}})
		assert.Equal(t, shim.Exit{}, s.end())
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
	exit := begin(t, shim.Order{Task: shim.Task{Command: []string{"cat"}, Stdin: in + "none"}}).end()
	assert.Equal(t, []any{true, 126}, []any{exit.Lost, exit.Code}, "it is not the command that is not there")
	assert.Contains(t, exit.Error, "none: no such file or directory")
	exit = begin(t, shim.Order{Task: shim.Task{Command: sh("echo x; echo y >&2; cat")}}).end()
	assert.Equal(t, shim.Exit{}, exit, "no files at all")
}

// A command gets the variables of its task and, in their order, nothing else.
func TestVariables(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	variables := []string{"B=2", "PATH=/usr/bin:/bin", "A="}
	for mark, want := range map[string]string{"": "", "M=1": "M=1\n"} {
		s := begin(t, shim.Order{Mark: mark, Task: shim.Task{Command: []string{"env"}, Env: variables, Stdout: out}})
		assert.Equal(t, shim.Exit{}, s.end())
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		assert.Equal(t, "B=2\nPATH=/usr/bin:/bin\nA=\n"+want, string(text))
	}
}

// A shim that is asked to end by a signal ends all of its task.
func TestSignalsToAShim(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		dir := t.TempDir()
		s := begin(t, shim.Order{Task: shim.Task{Command: sh("sleep 1000 & echo > up; sleep 1000"), Dir: dir}})
		up(t, dir)
		require.NoError(t, s.cmd.Process.Signal(signal))
		assert.Equal(t, shim.Exit{Code: 137, Signal: 9, Killed: true}, s.end(), signal)
	}
}

// Without a clock there is no deadline to keep: the task is ended, and the shim says why.
func TestADeadlineThatCannotBeRead(t *testing.T) {
	file, err := os.OpenFile(filepath.Join(t.TempDir(), "closed"), os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	defer file.Close()
	s := serve(t, nil, file)
	require.NoError(t, shim.Send(s.control, shim.Order{
		Isolation: shim.Subreaper, Task: shim.Task{Command: []string{"sleep", "1000"}, Dir: "/"},
	}))
	assert.Equal(t, shim.Exit{Code: 137, Signal: 9, Killed: true}, s.end())
	assert.Contains(t, s.says.String(), "canvass: shim: map the deadline: permission denied")
}

// Orders of the daemon end the task: at once, or after its grace, which expires without the daemon.
// Other bytes mean nothing.
func TestOrdersToEnd(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		orders []byte
		grace  time.Duration
		signal syscall.Signal
		code   int
	}{
		"now":               {"trap 'exit 5' TERM; ", []byte{'x', shim.KillNow}, time.Hour, 0, 137},
		"gently":            {"trap 'exit 5' TERM; ", []byte{shim.KillGently}, time.Hour, 0, 5},
		"by its own signal": {"trap 'exit 6' USR1; ", []byte{shim.KillGently}, time.Hour, syscall.SIGUSR1, 6},
		"grace is over":     {"trap '' TERM; ", []byte{shim.KillGently}, time.Millisecond, 0, 137},
		"grace is cut off":  {"trap '' TERM; ", []byte{shim.KillGently, shim.KillNow}, time.Hour, 0, 137},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := begin(t, shim.Order{Task: shim.Task{
				Command: sh(test.script + "echo > up; while :; do sleep 0.01; done"), Dir: dir,
				Grace: test.grace, Signal: int(test.signal),
			}})
			up(t, dir)
			for _, order := range test.orders {
				_, err := s.control.Write([]byte{order})
				require.NoError(t, err)
			}
			exit := s.end()
			assert.Equal(t, test.code, exit.Code)
			assert.True(t, exit.Killed)
		})
	}
}

// A tree whose processes are replaced on and on is searched until no process is left, and is not
// killed because its command has ended before.
func TestATreeIsEnded(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "chain")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n\"$0\" &\n"), 0o700))
	s := begin(t, shim.Order{Task: shim.Task{Command: sh(fmt.Sprintf("%[1]s; %[1]s; exit 3", script))}})
	assert.Equal(t, shim.Exit{Code: 3}, s.end())
}

// The end of a process whose parent has ended before is not the end of the command, which can still
// be asked to end.
func TestAnOrphanEnds(t *testing.T) {
	const script = "trap 'exit 4' TERM; (sh -c 'echo $$ > pid.0; mv pid.0 pid; exit 5' &); " +
		"while [ ! -e pid ]; do sleep 0.01; done; while [ -e /proc/$(cat pid) ]; do sleep 0.01; done; "
	dir := t.TempDir()
	s := begin(t, shim.Order{Task: shim.Task{Command: sh(script + "exit 3"), Dir: dir}})
	assert.Equal(t, shim.Exit{Code: 3}, s.end())

	dir = t.TempDir()
	s = begin(t, shim.Order{Task: shim.Task{
		Command: sh(script + "echo > up; while :; do sleep 0.01; done"), Dir: dir, Grace: time.Hour,
	}})
	up(t, dir)
	_, err := s.control.Write([]byte{shim.KillGently})
	require.NoError(t, err)
	assert.Equal(t, shim.Exit{Code: 4, Killed: true}, s.end())
}

// A task that cannot be started because of its command has failed, and is lost otherwise.
func TestWhatIsLost(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, test := range []struct {
		task shim.Task
		code int
		says string
		lost bool
	}{
		{shim.Task{Command: []string{""}}, 126, "the task has no command", false},
		{shim.Task{Command: []string{"a", "b"}, Dir: file}, 126, `start "a": the working directory`, true},
		{shim.Task{Command: []string{"no-such-command", "b"}}, 127, `start "no-such-command": not found`, false},
		{shim.Task{Command: []string{file, "b"}}, 126, `start "` + file + `": permission denied`, false},
		{shim.Task{Command: []string{file + "/x"}}, 126, "not a directory", false},
	} {
		exit := begin(t, shim.Order{Task: test.task}).end()
		assert.Equal(t, []any{test.code, test.lost}, []any{exit.Code, exit.Lost}, test.says)
		assert.Contains(t, exit.Error, test.says)
	}
	exit := begin(t, shim.Order{Isolation: shim.Cgroup, Cgroup: file + "none", Task: shim.Task{Command: sh("true")}}).end()
	assert.True(t, exit.Lost)
	assert.Contains(t, exit.Error, "open the cgroup")
	exit = begin(t, shim.Order{
		Veil: veil.Landlock, Hide: []string{filepath.Dir(file)}, Task: shim.Task{Command: sh("true"), Shown: file + "none"},
	}).end()
	assert.True(t, exit.Lost)
	assert.Contains(t, exit.Error, "hide the files of the daemon")
}

// A command without a slash is looked for in absolute folders only.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.MkdirAll("bin/folder", 0o700))
	require.NoError(t, os.WriteFile("bin/tool", nil, 0o700))
	require.NoError(t, os.WriteFile("bin/text", nil, 0o600))
	for path, want := range map[string]string{
		"bin": "", ".:bin:": "", dir: "", dir + "/bin": dir + "/bin/tool",
		"bin:" + dir + ":" + dir + "/bin//": dir + "/bin/tool",
	} {
		file, ok := shim.Find("tool", path)
		assert.Equal(t, want, file, path)
		assert.Equal(t, want != "", ok)
	}
	for _, name := range []string{"folder", "text", "none"} {
		_, ok := shim.Find(name, dir+"/bin")
		assert.False(t, ok, name)
	}
}

// The memory of a deadline is sealed if the kernel can do that.
func TestSeals(t *testing.T) {
	fd, err := unix.MemfdCreate("probe", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	require.NoError(t, err)
	defer unix.Close(fd)
	_, can := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_FUTURE_WRITE)
	d, err := shim.NewDeadline()
	require.NoError(t, err)
	defer d.Close()
	assert.Equal(t, can == nil, d.Open == nil)
	if can == nil {
		seals, err := unix.FcntlInt(d.File.Fd(), unix.F_GET_SEALS, 0)
		require.NoError(t, err)
		assert.Equal(t, shim.Seals, seals)
	}
}

// The limit of a cgroup is written as a number. Where there is no cgroup there is nothing to limit.
func TestCgroups(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, shim.LimitCgroup(dir, 4915))
	text, err := os.ReadFile(filepath.Join(dir, "pids.max"))
	require.NoError(t, err)
	assert.Equal(t, "4915", string(text))
	require.NoError(t, shim.LimitCgroup(filepath.Join(dir, "none"), 1))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "bad", "pids.max"), 0o700))
	require.ErrorIs(t, shim.LimitCgroup(filepath.Join(dir, "bad"), 1), unix.EISDIR)
	require.NoError(t, shim.KillCgroup(dir))
	text, err = os.ReadFile(filepath.Join(dir, "cgroup.kill"))
	require.NoError(t, err)
	assert.Equal(t, "1", string(text))
	require.Error(t, shim.KillCgroup(filepath.Join(dir, "none")))
}
