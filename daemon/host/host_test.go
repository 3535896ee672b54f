package host_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

func TestCommandsThatAHostDoesNotHave(t *testing.T) {
	folder := t.TempDir()
	tool := filepath.Join(folder, "tool")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o700))
	for _, test := range []struct {
		command string
		env     []string
		fits    bool
	}{
		{"sh", nil, true},
		{"tool", nil, false},
		{"tool", []string{"PATH=" + folder}, true},
		{tool, nil, true},
		{filepath.Join(folder, "other"), nil, false},
		{"./relative", nil, true}, // the working folder is made later
	} {
		why := host.Misfit(&jobs.Spec{Command: []string{test.command}, Env: test.env})
		assert.Equal(t, test.fits, why == "", "%s: %s", test.command, why)
	}
}

// A file system that never answers blocks a job but not the daemon: the host is given up, and few
// threads wait.
func TestALookThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all, never, answers := host.NewLooks(), make(chan struct{}), make(chan error, 9)
		began := time.Now()
		hang := func() (string, error) { <-never; return "", nil }
		for range cap(all) {
			host.DoLook(all, 5*time.Second, hang, func(_ string, err error) { answers <- err })
		}
		host.DoLook(all, 5*time.Second, hang, func(_ string, err error) { answers <- err })
		assert.ErrorContains(t, <-answers, "a file system does not answer; mend it, or unmount it: 8 looks")
		assert.Zero(t, time.Since(began))
		for range cap(all) {
			assert.ErrorContains(t, <-answers, "the look for the command of a task has taken 5s")
		}
		assert.Equal(t, 5*time.Second, time.Since(began))
		close(never)
		synctest.Wait()
		found := make(chan string, 1)
		host.DoLook(all, time.Second, func() (string, error) { return "no", nil }, func(s string, _ error) { found <- s })
		assert.Equal(t, "no", <-found)
	})
}

// A task can write where its daemon keeps the output. Its files there must not block the daemon, or
// expose another file.
func TestOnlyAFileIsAnOutput(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "output", "A-1.stderr")
	secret := filepath.Join(folder, "secret")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(secret, []byte("a secret\n"), 0o600))

	require.NoError(t, os.WriteFile(file, []byte("first\nlast\n"), 0o600))
	assert.Equal(t, "first\nlast", host.LastLines(folder))
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Symlink(secret, file))
	assert.Empty(t, host.LastLines(folder))
	require.NoError(t, os.Remove(file))
	require.NoError(t, unix.Mkfifo(file, 0o600))
	assert.Empty(t, host.LastLines(folder)) // and it returns
}

// A daemon with the key of the authority takes no tasks that could read it, unless an option says
// so.
func TestTasksThatCouldTakeTheKeyAreRefused(t *testing.T) {
	exposes, demands := host.Policy{AllowExposed: true}, host.Policy{RequireIsolation: true}
	for _, c := range []struct {
		policy            host.Policy
		key, dev          bool
		isolation, hidden string
		says              string // "": takes tasks
	}{
		{host.Policy{}, true, false, runner.PIDNamespace, veil.Mounts, ""},
		{host.Policy{}, true, false, runner.Subreaper, veil.Landlock, ""},
		{host.Policy{}, true, false, runner.PIDNamespace, veil.None, "--allow-exposed"},
		{host.Policy{}, true, true, runner.Subreaper, veil.None, ""},
		{host.Policy{}, false, false, runner.Subreaper, veil.None, ""},
		{exposes, true, false, runner.Subreaper, veil.None, ""},
		{demands, false, false, runner.PIDNamespace, veil.Landlock, ""},
		{demands, false, true, runner.PIDNamespace, veil.None, "--require-isolation"},
		{demands, false, false, runner.Cgroup, veil.Landlock, "--require-isolation"},
		{demands, true, false, runner.Subreaper, veil.Landlock, "isolation is subreaper"},
	} {
		c.policy.HasKey, c.policy.Dev = c.key, c.dev
		says := c.policy.Refusal(c.isolation, c.hidden, nil)
		if c.says == "" {
			require.Empty(t, says, c)
		}
		require.Contains(t, says, c.says, c)
	}
}
