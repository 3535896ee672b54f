//go:build linux

package runner_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// A task of the daemon's own user may leave its cgroup. Its shim is above it, and ends it.
func TestATaskThatLeavesItsCgroupEnds(t *testing.T) {
	r, command := open(t, runner.Cgroup), sleep()
	script := `mount=$(sed -n 's/.* \([^ ]*\) [^ ]* - cgroup2 .*/\1/p' /proc/self/mountinfo | head -1)
own=$mount$(sed -n 's/^0:://p' /proc/self/cgroup)
echo $$ > "${own%/*}/cgroup.procs" && grep -v canvass /proc/self/cgroup | grep ^0:: && setsid -f env -i ` + command
	e, out, _ := run(t, r, runner.Task{Command: sh(script)})
	assert.Equal(t, runner.Exit{}, e)
	assert.Contains(t, out, "0::")
	assert.Empty(t, alive(command))
}

// The cgroup of a process is below the mount that shows it, for any mount point and any root of the
// mount.
func TestTheFolderOfACgroup(t *testing.T) {
	const (
		older = "25 20 0:22 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
		whole = "36 35 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
		part  = "37 35 0:30 /user/a /mnt/a rw shared:1 master:2 - cgroup2 none rw\n"
	)
	for name, test := range map[string]struct{ mounts, own, want string }{
		"whole":              {older + whole, "3:memory:/x\n0::/user/a\n", "/sys/fs/cgroup/user/a"},
		"root":               {whole, "0::/\n", "/sys/fs/cgroup"},
		"part":               {part + whole, "0::/user/a/b\n", "/mnt/a/b"},
		"another part":       {part + whole, "0::/user/b\n", "/sys/fs/cgroup/user/b"},
		"beside a part":      {part, "0::/user/ab\n", ""},
		"above a part":       {part, "0::/user\n", ""},
		"dots in its name":   {whole, "0::/..a\n", "/sys/fs/cgroup/..a"},
		"spaces in it":       {whole, "0::/a b \n", "/sys/fs/cgroup/a b "},
		"last of all":        {whole, "0::/a\n1:name=systemd:/b\n", "/sys/fs/cgroup/a"},
		"out of sight":       {whole, "0::/../a\n", ""},
		"only the first":     {older, "0::/a\n", ""},
		"none":               {whole, "3:memory:/x\n", ""},
		"nothing is mounted": {"", "0::/a\n", ""},
		"nothing is known":   {"", "", ""},
	} {
		folder, found := runner.CgroupIn(test.mounts, test.own)
		assert.Equal(t, test.want, folder, name)
		assert.Equal(t, test.want != "", found, name)
	}
}

// A task may have a share of the least that a cgroup above the daemon may have.
func TestProcessesOfATask(t *testing.T) {
	top := t.TempDir()
	folder := filepath.Join(top, "a", "b")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	put := func(folder, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "pids.max"), []byte(text), 0o600))
	}
	assert.EqualValues(t, shim.ProcessesLimit, runner.ProcessesIn(folder))
	assert.EqualValues(t, shim.ProcessesLimit, runner.ProcessesIn(""))
	put(folder, "max\n")
	assert.EqualValues(t, shim.ProcessesLimit, runner.ProcessesIn(folder))
	put(top, "4900\n")
	assert.EqualValues(t, 3675, runner.ProcessesIn(folder))
	put(folder, "400\n")
	assert.EqualValues(t, 300, runner.ProcessesIn(folder))
	put(top, "40\n")
	assert.EqualValues(t, 30, runner.ProcessesIn(folder))
	put(top, "1000000\n")
	put(folder, "1000000\n")
	assert.EqualValues(t, shim.ProcessesLimit, runner.ProcessesIn(folder))
}

// Tasks get cgroups only where processes can be moved to them.
func TestCgroupsCanBeMade(t *testing.T) {
	folder := t.TempDir()
	require.ErrorContains(t, runner.ProbeCgroup(folder), "move processes between cgroups of "+folder)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "cgroup.procs"), nil, 0o600))
	require.NoError(t, runner.ProbeCgroup(folder))
	made, err := filepath.Glob(folder + "/canvass-*/cgroup.kill")
	require.NoError(t, err)
	assert.Len(t, made, 1, "it was tried")
}

// A cgroup whose processes do not end, or that cannot be removed, has its name in the error.
func TestACgroupThatStays(t *testing.T) {
	folder := t.TempDir()
	events := filepath.Join(folder, "cgroup.events")
	require.NoError(t, os.WriteFile(events, []byte("populated 1\nfrozen 0\n"), 0o600))
	require.ErrorContains(t, runner.EndCgroup(folder, 0), "processes in cgroup "+folder+" do not end")
	require.NoError(t, os.WriteFile(events, []byte("populated 0\nfrozen 0\n"), 0o600))
	require.ErrorContains(t, runner.EndCgroup(folder, 0), "remove the cgroup")
	assert.DirExists(t, folder)
	require.NoError(t, os.Remove(events))
	require.NoError(t, os.Mkdir(events, 0o700), "it cannot be read")
	require.ErrorContains(t, runner.EndCgroup(folder, 0), "do not end")
	require.NoError(t, runner.EndCgroup(folder+"/none", 0), "it has gone")
}

// The OOM killer is to blame for the end of a task or of a shim by SIGKILL, a moment after it has
// struck, if the daemon did not ask to end it.
func TestBlame(t *testing.T) {
	const now, before = 0, time.Hour
	killed := runner.Exit{Code: 137, Signal: 9}
	asked, ended := runner.Exit{Code: 137, Killed: true}, runner.Exit{Code: 1}
	lost := runner.Exit{Code: 137, Killed: true, Lost: true, Error: "lost"}
	named := lost
	named.Error += ", as the kernel's OOM killer ended a process of its cgroup for want of memory"
	struck := killed
	struck.OOM = true
	for _, test := range []struct {
		exit, want runner.Exit
		shimEnded  bool
		ago        time.Duration
	}{
		{killed, struck, false, now},
		{killed, killed, false, before},
		{asked, asked, false, now},
		{asked, asked, true, now},
		{ended, ended, false, now},
		{lost, named, true, now},
		{lost, lost, true, before},
		{lost, lost, false, now},
		{runner.Exit{Code: 137, Lost: true}, runner.Exit{Code: 137, Lost: true}, false, now},
	} {
		assert.Equal(t, test.want, runner.Blame(test.exit, test.shimEnded, test.ago))
	}
}

// Each count of the OOM killer is for those tasks that end then.
func TestTheOOMKillerIsCounted(t *testing.T) {
	above := t.TempDir()
	events := filepath.Join(above, "memory.events")
	count := func(text string) { require.NoError(t, os.WriteFile(events, []byte(text), 0o600)) }
	count("low 99\noom_kill 8\noom_group_kill 99\n")
	struck := runner.Struck(filepath.Join(above, "a", "b"))
	assert.False(t, struck())
	count("low 99\noom_kill 19\noom_group_kill 99\n")
	assert.True(t, struck())
	assert.True(t, struck(), "a moment ago")
	require.NoError(t, os.Remove(events))
	assert.True(t, struck(), "a moment ago")
	assert.False(t, runner.Struck("")())
	count("oom_kill 8\n")
	inner := filepath.Join(above, "a")
	require.NoError(t, os.Mkdir(inner, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(inner, "memory.events"), []byte("oom_kill 1\n"), 0o600))
	struck = runner.Struck(filepath.Join(inner, "b"))
	count("oom_kill 9\n")
	assert.False(t, struck(), "the nearest one counts")
}

// Each resource of the daemon that tasks could reach is named in a sentence.
func TestExposed(t *testing.T) {
	for isolation, count := range map[string]int{runner.PIDNamespace: 1, runner.Cgroup: 2, runner.Subreaper: 2} {
		assert.Empty(t, runner.ExposedBy(isolation, true, nil))
		assert.Len(t, runner.ExposedBy(isolation, true, unix.EINVAL), count-1)
		assert.Len(t, runner.ExposedBy(isolation, false, nil), 1)
		all := runner.ExposedBy(isolation, false, unix.EINVAL)
		require.Len(t, all, count)
		assert.Contains(t, all[0], "tasks can read the folder of the daemon")
		if count > 1 {
			assert.Contains(t, all[1], "keeps tasks from moving the deadlines of others")
		}
	}
}
