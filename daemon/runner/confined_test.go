//go:build linux

package runner_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/procs"
)

// A process of a task is known as one, however it was started. Others of the same user are not.
func TestProcessesOfTasks(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		r := open(t, isolation)
		command := sleep()
		p, _ := start(t, r, runner.Task{Command: sh("setsid -f " + command + "; (" + command + " &); exec " + command)})
		becomes(t, command, 3)
		for _, pid := range alive(command) {
			assert.True(t, runner.InTask(pid))
		}
		p.Kill(false)
		exit(t, p)
	})
	beside := exec.Command("sleep", "1000")
	require.NoError(t, beside.Start())
	assert.False(t, runner.InTask(beside.Process.Pid))
	assert.False(t, runner.InTask(os.Getpid()))
	assert.False(t, runner.InTask(1))
	require.NoError(t, beside.Process.Kill())
	require.Error(t, beside.Wait())
	assert.True(t, runner.InTask(beside.Process.Pid), "it has ended, and may have been")
}

// A command does not count as a shim because of its arguments, and a daemon in a task of another
// daemon can tell its own processes from those of its tasks.
func TestProcessesBesideTasks(t *testing.T) {
	none := map[int]bool{}
	one := exec.Command("cat") // it has no argument
	in, err := one.StdinPipe()
	require.NoError(t, err)
	defer in.Close()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(dir+"/shim", []byte("read _"), 0o600))
	more := exec.Command("sh", "shim", "more")
	more.Dir = dir
	held, err := more.StdinPipe()
	require.NoError(t, err)
	defer held.Close()
	for _, cmd := range []*exec.Cmd{one, more} {
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			cmd.Process.Kill()
			cmd.Wait()
		})
		require.Eventually(t, func() bool {
			command, err := procs.Command(cmd.Process.Pid)
			return err == nil && len(command) == len(cmd.Args)
		}, patience, time.Millisecond)
		above := procs.Lineage(cmd.Process.Pid)
		in, known := runner.InTaskAbove(above, none)
		assert.Equal(t, []bool{false, true}, []bool{in, known}, cmd.Args)
		in, known = runner.InTaskAbove(above[:len(above)-1], none)
		assert.Equal(t, []bool{false, false}, []bool{in, known}, "one above has ended")
		in, known = runner.InTaskAbove(above, map[int]bool{os.Getpid(): true})
		assert.Equal(t, []bool{false, true}, []bool{in, known}, "it is below this process")
	}
	is, known := runner.InTaskAbove(nil, none)
	assert.Equal(t, []bool{false, false}, []bool{is, known})
	above := procs.Lineage(one.Process.Pid)
	require.NoError(t, one.Process.Kill())
	require.Error(t, one.Wait())
	is, known = runner.InTaskAbove(above, none)
	assert.Equal(t, []bool{false, false}, []bool{is, known}, "it has ended")

	each(t, func(t *testing.T, isolation string) {
		e, out, _ := run(t, open(t, isolation), runner.Task{
			Command: []string{self(), "asks"}, Env: []string{"PATH=/bin:/usr/bin"},
		})
		assert.Equal(t, runner.Exit{}, e)
		assert.Equal(t, "false\n", out)
	})
}

// User ids of tasks belong to no other user.
func TestUsersOfTasks(t *testing.T) {
	low := runner.NewUser(func(low, _ uint32) uint32 { return low })
	high := runner.NewUser(func(_, high uint32) uint32 { return high })
	assert.Equal(t, []uint32{1_879_048_192, 2_147_352_575}, []uint32{low, high})
}

// A folder changes its owner with all that is in it, and nothing that a link names does.
func TestChown(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	outside, dir := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(dir+"/a/b", 0o700))
	require.NoError(t, os.WriteFile(dir+"/a/b/c", nil, 0o600))
	require.NoError(t, os.Symlink(outside, dir+"/link"))
	require.NoError(t, runner.Chown(dir, nobody))
	for _, name := range []string{dir, dir + "/a/b", dir + "/a/b/c", dir + "/link"} {
		assert.EqualValues(t, nobody, ownerOf(t, name), name)
	}
	assert.Zero(t, ownerOf(t, outside))
}
