//go:build linux

package runner_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// lines are those of a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// However a task ends, nothing of it is left, and its output is complete. There is no warning,
// unless its shim was killed.
func TestNothingIsLeftOfATask(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		dir, log := t.TempDir(), &lines{}
		r, err := runner.New(runner.Config{
			Binary: self(), Dir: dir, Isolation: isolation, Logger: slog.New(slog.NewTextHandler(log, nil)),
		})
		if err != nil {
			t.Skip("this machine does not allow it: ", err)
		}
		defer r.Close()
		assert.Contains(t, log.String(), "isolation="+isolation)
		for _, end := range []string{"by itself", "killed", "shim killed"} {
			command := sleep()
			if end == "by itself" {
				command = "true"
			}
			p, out := start(t, r, runner.Task{Command: sh("seq 100; echo > up; " + command), OutputLimit: 8})
			require.Eventually(t, func() bool { return read(t, filepath.Join(out, "up")) != "" }, patience, time.Millisecond)
			switch end {
			case "killed":
				assert.False(t, p.Gone())
				p.Kill(false)
			case "shim killed":
				// The shim has read all that was printed before.
				require.Eventually(t, func() bool {
					return strings.HasSuffix(read(t, out+"/out.0")+read(t, out+"/out.1"), "100\n")
				}, patience, time.Millisecond)
				assert.NotContains(t, log.String(), "level=WARN")
				require.NoError(t, syscall.Kill(alive(self() + " shim")[0], syscall.SIGKILL))
			}
			exit(t, p)
			assert.True(t, p.Gone())
			text := read(t, filepath.Join(out, "out"))
			assert.True(t, strings.HasPrefix(text, "1\n2\n\n[canvass: "), text)
			assert.True(t, strings.HasSuffix(text, " missing here]\n100\n"), text)
			left, err := filepath.Glob(out + "/out.*")
			require.NoError(t, err)
			assert.Empty(t, left)
			names, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, names, 1, end)
			assert.Equal(t, "lock", names[0].Name())
		}
		assert.Contains(t, log.String(), "a shim ended without a report")
		assert.Equal(t, 1, strings.Count(log.String(), "level=WARN"), log.String())
	})
}

// A shim that stops reporting, or that ends unexpectedly, is killed, and its task is lost.
func TestAShimThatDoesNotReport(t *testing.T) {
	for name, test := range map[string]struct {
		does string
		want runner.Exit
		says string
	}{
		"silent":  {"exec 3>&- 4>&-; exec sleep 1000", runner.Exit{Code: 137, Signal: 9}, "has ended (signal: killed)"},
		"ends":    {"exit 3", runner.Exit{Code: 1}, "has ended (exit status 3)"},
		"babbles": {"echo abcdefgh >&3; exec sleep 1000", runner.Exit{Code: 137, Signal: 9}, "has ended (signal: killed)"},
	} {
		t.Run(name, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), "shim")
			script := fmt.Sprintf("#!/bin/sh\n[ $CANVASS_TASK = probe ] && exec %s \"$@\"\n"+
				"head -c 4 <&3 > /dev/null\n%s\n", self(), test.does)
			require.NoError(t, os.WriteFile(binary, []byte(script), 0o700))
			r, err := runner.New(runner.Config{Binary: binary, Dir: t.TempDir(), Isolation: runner.Subreaper})
			require.NoError(t, err)
			defer r.Close()
			p, _ := start(t, r, runner.Task{Command: sh("true")})
			got := exit(t, p)
			assert.Contains(t, got.Error, test.says)
			got.Error = ""
			test.want.Killed, test.want.Lost = true, true
			assert.Equal(t, test.want, got)
		})
	}
}

// A stopped shim continues when its task must be killed, and kills all of it: it finds processes
// that the daemon cannot find.
func TestKillWithAShimThatWasStopped(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		p, _ := start(t, r, runner.Task{Command: sh("setsid -f env -i " + command + "; " + command)})
		becomes(t, command, 2)
		require.NoError(t, syscall.Kill(alive(self() + " shim")[0], syscall.SIGSTOP))
		p.Kill(false)
		assert.Equal(t, runner.Exit{Code: 137, Signal: 9, Killed: true}, exit(t, p))
		assert.Empty(t, alive(command))
	})
}

// A task that was asked to end is not asked again, and its time does not start again.
func TestATaskIsAskedOnce(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		script := "trap 'n=$((n+1)); [ $n = 1 ] || exit 9' TERM; echo > up; while :; do sleep 0.01; done"
		p, dir := start(t, r, runner.Task{Command: sh(script), Grace: 300 * time.Millisecond})
		require.Eventually(t, func() bool { return read(t, filepath.Join(dir, "up")) != "" }, patience, time.Millisecond)
		p.Kill(true)
		time.Sleep(20 * time.Millisecond)
		p.Kill(true)
		assert.Equal(t, runner.Exit{Code: 137, Signal: 9, Killed: true}, exit(t, p))
	})
}

// Without a working directory, relative names mean nothing.
func TestRelativeNamesWithoutAFolder(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone")
	require.NoError(t, os.Mkdir(gone, 0o700))
	t.Chdir(gone)
	r, err := runner.New(runner.Config{Binary: self(), Dir: "tasks"})
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, os.RemoveAll(gone))
	_, err = runner.New(runner.Config{Binary: self(), Dir: "tasks"})
	require.ErrorContains(t, err, "prepare to run tasks in tasks: ")
	_, err = r.Start(runner.Task{ID: "b4k2", Command: sh("true"), Dir: "/", Stdout: "out"})
	require.ErrorContains(t, err, "start task b4k2: ")
}

// A runner that cannot begin says why, and leaves its folder to the next one.
func TestARunnerThatCannotBegin(t *testing.T) {
	dir := t.TempDir()
	held := descriptors(t)
	open := func(c runner.Config) error {
		c.Dir = filepath.Join(dir, c.Dir)
		r, err := runner.New(c)
		if err == nil {
			require.NoError(t, r.Close())
		}
		return err
	}
	script := func(text string) string {
		name := filepath.Join(t.TempDir(), "shim")
		require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
		return name
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	require.ErrorContains(t, open(runner.Config{Binary: self(), Dir: "file/x"}), "not a directory")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "x", "lock"), 0o700))
	require.ErrorContains(t, open(runner.Config{Binary: self(), Dir: "x"}), "is a directory")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "y", "1.task"), 0o700))
	for range 2 {
		require.ErrorContains(t, open(runner.Config{Binary: self(), Dir: "y"}), "read the records of an earlier incarnation")
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "y", "1.task")))
	require.NoError(t, open(runner.Config{Binary: self(), Dir: "y"}))

	c := runner.Config{Binary: self(), Dir: "z", Isolation: runner.Subreaper, Veil: veil.Mounts}
	require.ErrorContains(t, open(c), "no isolation of tasks works here")
	c.Veil, c.Binary = veil.None, script("head -c 4 <&3 > /dev/null")
	require.ErrorContains(t, open(c), "subreaper, none: no answer from the shim")
	c.Binary = script(`printf '\000\000\000\016{"Error":"no"}' >&3; cat <&3 > /dev/null`)
	require.ErrorContains(t, open(c), "subreaper, none: no")
	assert.ErrorContains(t, open(c), "CANVASS_TASK=probe "+c.Binary+" shim")
	c.Binary = self()
	require.NoError(t, open(c))
	about, err := os.Stat(filepath.Join(dir, "z"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), about.Mode().Perm(), "it is for this user")
	assert.Equal(t, held, descriptors(t))
	require.Error(t, runner.Chown(filepath.Join(dir, "none"), 1))
}

func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(all)
}

// Folders are hidden by their real names, each once, and missing folders are not named.
func TestFoldersToHide(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	t.Chdir(dir)
	for _, name := range []string{"b", "a/x", "ab", "a-b"} {
		require.NoError(t, os.MkdirAll(name, 0o700))
	}
	require.NoError(t, os.Symlink("b", "link"))
	assert.Equal(t, []string{dir + "/a", dir + "/a-b", dir + "/ab", dir + "/b"},
		runner.Resolved([]string{"link", "b", "a/x", "none", "a-b", dir + "/a", "ab", "a"}))
	assert.Equal(t, []string{"/"}, runner.Resolved([]string{"b", "/"}))
	assert.Empty(t, runner.Resolved(nil))
}

// The daemon is closed to its tasks, and a shim is no part of the session of its daemon. Each tree
// has its own mark.
func TestTasksAreApart(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		dir := t.TempDir()
		r, err := runner.New(runner.Config{Binary: self(), Dir: dir, Isolation: isolation})
		if err != nil {
			t.Skip("this machine does not allow it: ", err)
		}
		defer r.Close()
		if os.Geteuid() == 0 {
			dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
			require.NoError(t, err)
			assert.Zero(t, dumpable)
		}
		command := sleep()
		for range 2 {
			start(t, r, runner.Task{Command: sh(command)})
		}
		becomes(t, command, 2)
		files, err := filepath.Glob(dir + "/*.task")
		require.NoError(t, err)
		require.Len(t, files, 2)
		marks := map[string]bool{}
		for _, file := range files {
			var pid int
			_, err := fmt.Sscanf(filepath.Base(file), "%d.task", &pid)
			require.NoError(t, err)
			session, err := unix.Getsid(pid)
			require.NoError(t, err)
			assert.Equal(t, pid, session)
			_, mark, _ := strings.Cut(read(t, file), "CANVASS_TREE=")
			marks[mark] = true
		}
		assert.Equal(t, isolation == runner.Subreaper, len(marks) == 2)
		require.NoError(t, r.Close())
		require.NoError(t, r.Close(), "once more")
		assert.ErrorContains(t, r.Try(), "closed")
		_, err = r.Start(runner.Task{ID: "b4k2", Command: sh("true"), Dir: "/"})
		assert.EqualError(t, err, "start task b4k2: the runner is closed")
	})
}
