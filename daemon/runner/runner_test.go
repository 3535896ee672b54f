//go:build linux

package runner_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// patience bounds every wait of the tests.
const patience = 20 * time.Second

// each runs a test once for each isolation that works here.
func each(t *testing.T, test func(t *testing.T, isolation string)) {
	t.Helper()
	for _, isolation := range []string{runner.PIDNamespace, runner.Cgroup, runner.Subreaper} {
		t.Run(isolation, func(t *testing.T) { test(t, isolation) })
	}
}

// open makes a runner, or skips the test if the isolation does not work here.
func open(t *testing.T, isolation string) *runner.Runner {
	t.Helper()
	r, err := runner.New(runner.Config{Binary: self(), Dir: t.TempDir(), Isolation: isolation})
	if isolation == "" || isolation == runner.Subreaper {
		require.NoError(t, err, "this one works on every machine")
	}
	if err != nil {
		t.Skip("this machine does not allow it: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	if isolation != "" {
		assert.Equal(t, isolation, r.Isolation())
	}
	return r
}

// start starts a task whose output goes into files of the test's folder.
func start(t *testing.T, r *runner.Runner, task runner.Task) (p *runner.Process, dir string) {
	t.Helper()
	dir = t.TempDir()
	task.ID, task.Dir, task.Stdout, task.Stderr = "1", dir, filepath.Join(dir, "out"), filepath.Join(dir, "err")
	p, err := r.Start(task)
	require.NoError(t, err)
	return p, dir
}

func exit(t *testing.T, p *runner.Process) runner.Exit {
	t.Helper()
	select {
	case e, ok := <-p.Done():
		require.True(t, ok)
		return e
	case <-time.After(patience):
		require.Fail(t, "the task does not end")
	}
	return runner.Exit{}
}

func run(t *testing.T, r *runner.Runner, task runner.Task) (e runner.Exit, out, stderr string) {
	t.Helper()
	p, dir := start(t, r, task)
	e = exit(t, p)
	return e, read(t, filepath.Join(dir, "out")), read(t, filepath.Join(dir, "err"))
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return string(text)
}

// ownerOf is the user whose file it is.
func ownerOf(t *testing.T, name string) uint32 {
	t.Helper()
	about, err := os.Lstat(name)
	require.NoError(t, err)
	return about.Sys().(*syscall.Stat_t).Uid
}

func itoa(n int) string { return strconv.Itoa(n) }

func sh(script string) []string { return []string{"sh", "-c", script} }

var sleeps atomic.Int64

// sleep is a command that runs for long and that alive finds by its argument.
func sleep() string {
	return fmt.Sprintf("sleep %d.%09d%d", 1000, os.Getpid(), sleeps.Add(1))
}

// alive lists the processes of a command, in any namespace.
func alive(command string) []int {
	var found []int
	want := append(bytes.ReplaceAll([]byte(command), []byte(" "), []byte{0}), 0)
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && bytes.Equal(text, want) {
			pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
			found = append(found, pid)
		}
	}
	return found
}

func becomes(t *testing.T, command string, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(alive(command)) == n }, patience, 2*time.Millisecond,
		"%d processes of %q", n, command)
}

func TestExitCodes(t *testing.T) {
	wants := map[string]runner.Exit{
		"true":                       {},
		"exit 7":                     {Code: 7},
		"exit 255":                   {Code: 255},
		"kill -9 $$":                 {Code: 137, Signal: 9},
		"kill -15 $$":                {Code: 143, Signal: 15},
		"kill -ABRT $$":              {Code: 134, Signal: 6},
		"sh -c 'kill -9 $$'; exit 3": {Code: 3},
	}
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		all := map[string]*runner.Process{}
		for script := range wants {
			all[script], _ = start(t, r, runner.Task{Command: sh(script)})
		}
		for script, p := range all {
			assert.Equal(t, wants[script], exit(t, p), script)
			_, open := <-p.Done()
			assert.False(t, open, "Done fires once")
		}
	})
}

func TestCommandThatCannotStart(t *testing.T) {
	r := open(t, "")
	dir := t.TempDir()
	bad := filepath.Join(dir, "script")
	require.NoError(t, os.WriteFile(bad, []byte("#!/no/such/shell\n"), 0o700))
	cases := []struct {
		task runner.Task
		code int
		says string
		lost bool // by this machine: the command is not to blame
	}{
		{runner.Task{Command: []string{"no-such-command"}}, 127,
			`start "no-such-command": not found in PATH "` + shim.SearchPath + `"`, false},
		{runner.Task{Command: []string{"sh"}, Env: []string{"PATH=/nowhere"}}, 127,
			`start "sh": not found in PATH "/nowhere"`, false},
		{runner.Task{Command: []string{"script"}, Dir: dir, Env: []string{"PATH=.::/"}}, 127, "not found", false},
		{runner.Task{Command: []string{"passwd"}, Env: []string{"PATH=/etc"}}, 127, "not found", false},
		{runner.Task{Command: []string{"etc"}, Env: []string{"PATH=/"}}, 127, "not found", false},
		{runner.Task{Command: []string{"./missing"}}, 127, `start "./missing"`, false},
		{runner.Task{Command: []string{bad}}, 127, "interpreter", false},
		{runner.Task{Command: []string{"/etc/passwd"}}, 126, `start "/etc/passwd": permission denied`, false},
		{runner.Task{}, 126, "the task has no command", false},
		{runner.Task{Command: sh("true"), Dir: "/no/such/folder"}, 126,
			`the working directory "/no/such/folder" does not exist`, true},
		{runner.Task{Command: sh("true"), Dir: "/etc/passwd/folder"}, 126,
			`start "sh": look at the working directory: stat /etc/passwd/folder: not a directory`, true},
		{runner.Task{Command: sh("true"), Stdout: "/no/such/file"}, 126, "/no/such/file", true},
	}
	var all []*runner.Process
	for _, c := range cases {
		p, err := r.Start(c.task)
		require.NoError(t, err)
		all = append(all, p)
	}
	for i, c := range cases {
		got := exit(t, all[i])
		assert.Equal(t, c.code, got.Code, c.says)
		assert.Contains(t, got.Error, c.says)
		assert.Equal(t, c.lost, got.Lost, c.says)
	}
}

// Alone: the environment and descriptors of the command.
func TestEnvironmentOfTheCommand(t *testing.T) {
	t.Setenv("SECRET", "1")
	var core syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_CORE, &core))
	defer syscall.Setrlimit(syscall.RLIMIT_CORE, &core)
	syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{Cur: core.Max, Max: core.Max})
	leak, err := os.Open("/etc/passwd")
	require.NoError(t, err)
	defer leak.Close()
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		script := "env | cut -d= -f1 | sort | tr '\\n' ' '; pwd; umask; ulimit -c; " +
			"grep -E 'NoNewPrivs|CapAmb' /proc/self/status; ls /proc/self/fd | tr '\\n' ' '; echo; cat; echo $((1+1)) >&2"
		task := runner.Task{Env: []string{"A=1", "PATH=/usr/bin:/bin"}, Command: sh(script)}
		e, out, stderr := run(t, r, task)
		assert.Equal(t, runner.Exit{}, e)
		lines := strings.Split(out, "\n")
		require.Len(t, lines, 7, out)
		variables, _, _ := strings.Cut(lines[0], "/")
		variables = strings.ReplaceAll(variables, "CANVASS_TREE ", "")
		assert.Equal(t, "A PATH PWD ", variables)
		assert.Contains(t, lines[0], os.TempDir())
		assert.Equal(t, []string{"0077", "0"}, lines[1:3])
		assert.Equal(t, "NoNewPrivs:\t1", lines[4])
		assert.Equal(t, "CapAmb:\t0000000000000000", lines[3])
		assert.Equal(t, "0 1 2 3 ", lines[5], "3 is the folder itself")
		assert.Equal(t, "2\n", stderr)
	})
}

// Alone: the resources of the command are limited, unless the daemon itself has a lower limit.
func TestLimitsOfTheCommand(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		e, out, _ := run(t, open(t, isolation), runner.Task{Command: []string{"cat", "/proc/self/limits"}})
		require.Zero(t, e.Code)
		for _, l := range []struct {
			name     string
			resource int
			most     uint64
			quarters uint64 // of the daemon's own limit
		}{
			{"Max core file size", unix.RLIMIT_CORE, 0, 4},
			{"Max open files", unix.RLIMIT_NOFILE, 65_536, 3},
			{"Max processes", unix.RLIMIT_NPROC, 16_384, 3},
			{"Max file size", unix.RLIMIT_FSIZE, 1 << 40, 4},
		} {
			var own unix.Rlimit
			require.NoError(t, unix.Getrlimit(l.resource, &own))
			most := min(own.Max/4*l.quarters, l.most)
			want := fmt.Sprint([]uint64{min(own.Cur, most), most})
			_, line, found := strings.Cut(out, l.name)
			require.True(t, found, out)
			assert.Equal(t, want, fmt.Sprint(strings.Fields(line)[:2]), l.name)
		}
	})
}

// Alone: a command of root has no root rights either, and cannot regain them by another program.
func TestRightsOfTheCommand(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		script := "grep -h -E '^Cap' /proc/self/status; mount -t tmpfs none /mnt || echo refused"
		e, out, _ := run(t, r, runner.Task{Command: sh(script)})
		assert.Zero(t, e.Code)
		bounding := "0000000000000000"
		if os.Geteuid() != 0 {
			bounding = strings.Fields(out)[7]
		}
		assert.Equal(t, "CapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n"+
			"CapBnd:\t"+bounding+"\nCapAmb:\t0000000000000000\nrefused\n", out)
	})
}

// A task of another user is that user in all ways, and has a way to its working folder even if the
// user has none.
func TestTaskOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can start one")
	}
	const user = 1_900_000_000
	each(t, func(t *testing.T, isolation string) {
		r, dir, out := open(t, isolation), t.TempDir(), filepath.Join(t.TempDir(), "out")
		require.NoError(t, os.Chown(dir, user, user))
		p, err := r.Start(runner.Task{
			ID: "1", Command: sh("id -u; id -g; id -G; echo x > file; cat file; touch /etc/canvass-test || echo refused"),
			Dir: dir, Stdout: out, User: user,
		})
		require.NoError(t, err)
		assert.Equal(t, runner.Exit{}, exit(t, p))
		assert.Equal(t, strings.Repeat("1900000000\n", 3)+"x\nrefused\n", read(t, out))
		assert.EqualValues(t, user, ownerOf(t, filepath.Join(dir, "file")))
	})
}

// The daemon goes on when its tasks have used up all that they may use.
func TestShare(t *testing.T) {
	for most, want := range map[uint64]uint64{400: 300, 1: 1, 0: 0, 3: 3, 4915: 3687} {
		assert.Equal(t, want, shim.Share(most))
	}
}

// A file that grows without end is the end of its task.
func TestAFileThatIsTooLongEndsItsTask(t *testing.T) {
	r := open(t, "")
	e, _, _ := run(t, r, runner.Task{Command: sh("truncate -s 1024G file && exec truncate -s 1025G file")})
	assert.Equal(t, int(unix.SIGXFSZ), e.Signal)
}

// Names of files are relative to the working directory of the daemon.
func TestRelativeNames(t *testing.T) {
	t.Chdir(t.TempDir())
	r, err := runner.New(runner.Config{Binary: self(), Dir: "tasks"})
	require.NoError(t, err)
	defer r.Close()
	p, err := r.Start(runner.Task{Command: sh("pwd"), Stdout: "out"})
	require.NoError(t, err)
	assert.Equal(t, runner.Exit{}, exit(t, p))
	here, err := os.Getwd()
	require.NoError(t, err)
	assert.Equal(t, here+"\n", read(t, filepath.Join(here, "out")))
}

func TestStreamsInOneFile(t *testing.T) {
	r := open(t, runner.PIDNamespace)
	file := filepath.Join(t.TempDir(), "both")
	p, err := r.Start(runner.Task{Command: sh("echo a; echo b >&2; echo c"), Dir: "/", Stdout: file, Stderr: file})
	require.NoError(t, err)
	assert.Equal(t, runner.Exit{}, exit(t, p))
	assert.Equal(t, "a\nb\nc\n", read(t, file))
}

// WholeTree: a process that was forked twice and put into another session, without variables, ends
// with the command.
func TestNothingOutlivesTheCommand(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		script := fmt.Sprintf("setsid -f env -i %[1]s; (setsid -f %[1]s); %[1]s & ", command) +
			"while [ $(ps ax | grep -c '[s]leep 1000') -lt 3 ]; do :; done; trap '' TERM; exit 4"
		e, _, _ := run(t, r, runner.Task{Command: sh(script)})
		assert.Equal(t, runner.Exit{Code: 4}, e)
		assert.Empty(t, alive(command))
	})
}

// WholeTree: a process that forks and exits, on and on, has another number at each look.
func TestChainOfForks(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		script := filepath.Join(t.TempDir(), "chain")
		require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n\"$0\" &\n"), 0o700))
		e, _, _ := run(t, r, runner.Task{Command: []string{script}})
		assert.Equal(t, runner.Exit{}, e)
		assert.Empty(t, alive("/bin/sh "+script))
	})
}

func TestKill(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		p, _ := start(t, r, runner.Task{Command: sh("setsid -f " + command + "; exec " + command)})
		becomes(t, command, 2)
		p.Kill(false)
		assert.Equal(t, runner.Exit{Code: 137, Signal: 9, Killed: true}, exit(t, p))
		assert.Empty(t, alive(command))
		p.Kill(false) // has no effect
	})
}

func TestKillWithGrace(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		script := "trap 'echo bye; exit 5' TERM; echo ready; " + command + " & wait; wait"
		p, dir := start(t, r, runner.Task{Command: sh(script), Grace: patience})
		becomes(t, command, 1)
		p.Kill(true)
		assert.Equal(t, runner.Exit{Code: 5, Killed: true}, exit(t, p))
		assert.Equal(t, "ready\nbye\n", read(t, filepath.Join(dir, "out")))

		p, _ = start(t, r, runner.Task{Command: sh("trap '' TERM; " + command), Grace: 50 * time.Millisecond})
		becomes(t, command, 1)
		p.Kill(true)
		assert.Equal(t, runner.Exit{Code: 137, Signal: 9, Killed: true}, exit(t, p))

		p, _ = start(t, r, runner.Task{Command: sh("trap '' TERM; " + command), Grace: time.Hour})
		becomes(t, command, 1)
		p.Kill(true)
		p.Kill(false) // ends the grace
		assert.Equal(t, runner.Exit{Code: 137, Signal: 9, Killed: true}, exit(t, p))
		assert.Empty(t, alive(command))
	})
}

func TestCloseEndsTasks(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		for range 3 {
			start(t, r, runner.Task{Command: sh(command)})
		}
		becomes(t, command, 3)
		require.NoError(t, r.Close())
		assert.Empty(t, alive(command))
		_, err := r.Start(runner.Task{Command: sh("true"), Dir: "/"})
		assert.ErrorContains(t, err, "closed")
	})
}

func TestDeadline(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		p, _ := start(t, r, runner.Task{Command: sh("setsid -f " + command + "; " + command)})
		becomes(t, command, 2)
		until := shim.Boottime() + 100*time.Millisecond
		r.Extend(until)
		r.Extend(until + 100*time.Millisecond)
		r.Extend(until - time.Hour) // never back
		got := exit(t, p)
		assert.Contains(t, got.Error, "or at the deadline of its daemon")
		got.Error = ""
		assert.Equal(t, runner.Exit{Code: 137, Signal: 9, Killed: true, Lost: true}, got)
		assert.GreaterOrEqual(t, shim.Boottime(), until+100*time.Millisecond)
		assert.Empty(t, alive(command))
		p, _ = start(t, r, runner.Task{Command: sh(command)}) // past the deadline
		assert.True(t, exit(t, p).Killed)
	})
}

func TestOneRunnerAFolder(t *testing.T) {
	dir := t.TempDir()
	r, err := runner.New(runner.Config{Binary: self(), Dir: dir})
	require.NoError(t, err)
	defer r.Close()
	_, err = runner.New(runner.Config{Binary: self(), Dir: dir})
	assert.ErrorContains(t, err, "another daemon uses this folder")
	require.NoError(t, r.Close())
	again, err := runner.New(runner.Config{Binary: self(), Dir: dir})
	require.NoError(t, err, "one after the other may")
	require.NoError(t, again.Close())
	_, err = runner.New(runner.Config{Binary: "/no/such/binary", Dir: t.TempDir()})
	assert.ErrorContains(t, err, "no such file")
}

// Where a task cannot be started, nothing of it is left, and the error has the reason.
func TestATaskThatCannotBeStarted(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		binary, dir := filepath.Join(t.TempDir(), "shim"), filepath.Join(t.TempDir(), "tasks")
		require.NoError(t, os.Symlink(self(), binary))
		r, err := runner.New(runner.Config{Binary: binary, Dir: dir, Isolation: isolation})
		if err != nil {
			t.Skip("this machine does not allow it: ", err)
		}
		defer func() { require.NoError(t, r.Close()) }()
		require.NoError(t, os.RemoveAll(dir))
		_, err = r.Start(runner.Task{ID: "b4k2", Command: sh("true"), Dir: "/"})
		require.ErrorContains(t, err, "start task b4k2: save what a later life must find")
		require.NoError(t, os.Mkdir(dir, 0o700))
		_, err = r.Start(runner.Task{ID: "b4k2", Command: []string{strings.Repeat("x", 8<<20)}, Dir: "/"})
		require.ErrorContains(t, err, "start task b4k2: pass the task to its shim: a record of")
		require.NoError(t, r.Try())
		require.NoError(t, os.Remove(binary))
		_, err = r.Start(runner.Task{ID: "b4k2", Command: sh("true"), Dir: "/"})
		require.ErrorContains(t, err, "start task b4k2: start the shim")
		require.ErrorContains(t, r.Try(), "start the shim")
		assert.Empty(t, alive(binary+" shim"))
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}

// A shim that is killed before it has its task has run nothing: another one is started. The task is
// larger than the buffer of a socket, so that the first shim ends while it is passed.
func TestShimThatIsKilledAtOnce(t *testing.T) {
	for name, deaths := range map[string]int{"once": 1, "always": 9} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			script := fmt.Sprintf("#!/bin/sh\nif [ $CANVASS_TASK = 1 ] && [ $(ls %s | wc -l) -lt %d ]; then\n"+
				"\ttouch %s/$$\n\tkill -9 $$\nfi\nexec %s \"$@\"\n", dir, deaths, dir, self())
			binary := filepath.Join(t.TempDir(), "shim")
			require.NoError(t, os.WriteFile(binary, []byte(script), 0o700))
			r, err := runner.New(runner.Config{Binary: binary, Dir: t.TempDir(), Isolation: runner.Subreaper})
			require.NoError(t, err)
			defer r.Close()
			task := runner.Task{ID: "1", Command: sh("exit 7"), Env: []string{"PATH=/bin:/usr/bin"}}
			for i := range 10 {
				task.Env = append(task.Env, fmt.Sprintf("V%d=%s", i, strings.Repeat("x", 100_000)))
			}
			p, err := r.Start(task)
			if deaths > 1 {
				require.ErrorContains(t, err, "the shim has ended before it had its task")
				tries, err := os.ReadDir(dir)
				require.NoError(t, err)
				assert.Len(t, tries, 3)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, 7, exit(t, p).Code)
		})
	}
}

// A task that the kernel does not remove, because it waits for a disk, does not block the daemon.
func TestCloseGivesUpOnATaskThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, err := runner.New(runner.Config{Binary: self(), Dir: dir})
	require.NoError(t, err)
	release := runner.Stick(r)
	require.ErrorContains(t, r.Close(), "have not ended")
	_, err = runner.New(runner.Config{Binary: self(), Dir: dir})
	require.ErrorContains(t, err, "another daemon uses this folder")
	release()
}
