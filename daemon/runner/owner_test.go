//go:build linux

package runner_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner"
)

// The process that the lock file names is gone, even if another one has its number by now.
func TestTheLastOwnerIsGone(t *testing.T) {
	thread := thread(t)
	beside := exec.Command("sleep", "1000")
	require.NoError(t, beside.Start())
	t.Cleanup(func() {
		beside.Process.Kill()
		beside.Wait()
	})
	another := beside.Process.Pid
	boot := strings.TrimSpace(read(t, "/proc/sys/kernel/random/boot_id"))
	for name, text := range map[string]string{
		"another boot":               owner(t, "another", another, started(t, another)),
		"this process, then another": owner(t, boot, os.Getpid(), "1"),
		"a thread, then a process":   owner(t, boot, thread, "1"),
		"a thread":                   owner(t, boot, thread, started(t, thread)),
		"cut off":                    owner(t, boot, thread, "1")[:20],
		"empty":                      "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "lock"), []byte(text), 0o600))
			r, err := runner.New(runner.Config{Binary: self(), Dir: dir, Isolation: runner.Subreaper})
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.Equal(t, owner(t, boot, os.Getpid(), started(t, os.Getpid())), read(t, filepath.Join(dir, "lock")))
		})
	}
}

// thread starts a second thread of this process, which lasts as long as the test.
func thread(t *testing.T) int {
	t.Helper()
	ids, end := make(chan int), make(chan struct{})
	t.Cleanup(func() { close(end) })
	for range 2 { // one of them may have the first
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ids <- unix.Gettid()
			<-end
		}()
	}
	first, second := <-ids, <-ids
	if first == os.Getpid() {
		return second
	}
	return first
}

// owner is the entry of a lock file about a process.
func owner(t *testing.T, boot string, pid int, start string) string {
	t.Helper()
	text, err := json.Marshal(struct {
		Boot  string
		PID   int
		Start string
	}{boot, pid, start})
	require.NoError(t, err)
	return string(text)
}

// started is the start time of a process or thread.
func started(t *testing.T, id int) string {
	t.Helper()
	_, after, ok := strings.Cut(read(t, "/proc/"+itoa(id)+"/stat"), ") ")
	require.True(t, ok)
	return strings.Fields(after)[19]
}
