//go:build linux

package shim_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// However a stream is split into pieces, its file holds the first and the last half of the limit,
// and no descriptor is left open.
func TestOutputOfAnySize(t *testing.T) {
	dir := t.TempDir()
	held := descriptors(t)
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(1, 40).Draw(t, "limit")
		pieces := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 30), 0, 8).Draw(t, "pieces")
		lost := rapid.Bool().Draw(t, "lost")
		whole := bytes.Join(pieces, nil)
		file := filepath.Join(dir, "out")
		gap, err := shim.Output(file, limit, pieces, lost)
		require.NoError(t, err)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, left, 1)
		head, tail := limit-limit/2, max(1, limit/2)
		if int64(len(whole)) <= head+tail {
			assert.Equal(t, string(whole), string(got))
			assert.Zero(t, gap)
			return
		}
		assert.True(t, bytes.HasPrefix(got, whole[:head]))
		assert.True(t, bytes.HasSuffix(got, whole[int64(len(whole))-tail:]))
		assert.Contains(t, string(got), "missing here]\n")
		if !lost {
			assert.Equal(t, int64(len(whole))-head-tail, gap)
			assert.Contains(t, string(got), fmt.Sprintf(" %d bytes", gap))
		}
	})
	assert.Equal(t, held, descriptors(t))
}

func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(all)
}

// While a task runs, its output takes no more room than the limit and another half of it, and the
// last half is there.
func TestOutputOfARunningTask(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(2, 40).Draw(t, "limit")
		pieces := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 30), 0, 8).Draw(t, "pieces")
		whole, head, half := bytes.Join(pieces, nil), int(limit-limit/2), int(limit/2)
		parts, err := shim.Parts(filepath.Join(dir, "out"), limit, pieces)
		require.NoError(t, err)
		assert.Equal(t, string(whole[:min(len(whole), head)]), string(parts[0]))
		rest := whole[min(len(whole), head):]
		tail := append(bytes.Clone(parts[1]), parts[2]...)
		assert.True(t, bytes.HasSuffix(rest, tail))
		assert.GreaterOrEqual(t, len(tail), min(len(rest), half))
		assert.LessOrEqual(t, len(parts[2]), half)
		assert.Contains(t, []int{0, half}, len(parts[1]))
	})
}

// The first error of the machine is kept. Others are those of a task that replaces its output.
func TestErrorsOfOutput(t *testing.T) {
	disk := &os.PathError{Op: "write", Path: "out", Err: unix.ENOSPC}
	assert.NoError(t, shim.Errors(nil, io.EOF, unix.EPIPE, unix.EISDIR, &os.PathError{Err: unix.ELOOP}))
	assert.Equal(t, unix.ENOSPC, shim.Errors(nil, unix.EPIPE, disk, unix.EIO, nil))
	for _, errno := range []unix.Errno{
		unix.ENOSPC, unix.EDQUOT, unix.EIO, unix.EROFS, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN,
	} {
		assert.Equal(t, errno, shim.Errors(errno))
	}
}

// A task that puts a folder or a link in place of its output loses it, and nothing else does.
func TestATaskThatReplacesItsOutput(t *testing.T) {
	long, short, none := []byte("0123456789abcdefghij"), []byte("xyz"), func() {}
	for name, test := range map[string]struct {
		second []byte
		gap    int64
		place  func(t *testing.T, file, outside string)
	}{
		"the file by a folder": {short, 18, func(t *testing.T, file, _ string) {
			require.NoError(t, os.Remove(file))
			require.NoError(t, os.Mkdir(file, 0o700))
		}},
		"FILE.1 by a link": {long, 30, func(t *testing.T, file, outside string) {
			require.NoError(t, os.Remove(file+".1"))
			require.NoError(t, os.Symlink(outside, file+".1"))
		}},
		"FILE.0 by a folder": {long, 35, func(t *testing.T, file, _ string) {
			require.NoError(t, os.Remove(file+".0"))
			require.NoError(t, os.MkdirAll(file+".0/in", 0o700))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			file, outside := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "outside")
			require.NoError(t, os.WriteFile(outside, []byte("as it was"), 0o600))
			place := func() { test.place(t, file, outside) }
			gap, err := shim.OutputMeanwhile(file, 10, long, test.second, place, none)
			require.NoError(t, err)
			assert.Equal(t, test.gap, gap)
			text, err := os.ReadFile(outside)
			require.NoError(t, err)
			assert.Equal(t, "as it was", string(text))
		})
	}
	file := filepath.Join(t.TempDir(), "out")
	gap, err := shim.OutputMeanwhile(file, 10, short, nil, func() { require.NoError(t, os.Remove(file)) }, none)
	require.NoError(t, err)
	assert.Zero(t, gap, "it is the task's own")
}

// Output that finds no descriptor, or no room behind its first half, is noticed.
func TestOutputWithoutMeans(t *testing.T) {
	dir := t.TempDir()
	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	few := func() {
		first, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0)
		require.NoError(t, err)
		unix.Close(first)
		require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(first), Max: limit.Max}))
	}
	many := func() { require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)) }
	defer many()
	gap, err := shim.OutputMeanwhile(filepath.Join(dir, "out"), 10, []byte("01234"), []byte("56789"), few, many)
	require.ErrorIs(t, err, unix.EMFILE)
	assert.EqualValues(t, 5, gap)

	small := filepath.Join(dir, "small")
	require.NoError(t, os.Mkdir(small, 0o700))
	if err := unix.Mount("tmpfs", small, "tmpfs", 0, "size=8k"); err != nil {
		t.Skip("no small file system can be mounted here: ", err)
	}
	defer unix.Unmount(small, unix.MNT_DETACH)
	page := bytes.Repeat([]byte("x"), 4096)
	none := func() {}
	_, err = shim.OutputMeanwhile(filepath.Join(small, "out"), 8192, page, page, none, none)
	require.ErrorIs(t, err, unix.ENOSPC, "the halves have room, and both in one file have not")
	require.NoError(t, os.Remove(filepath.Join(small, "out")))
	require.NoError(t, os.Remove(filepath.Join(small, "out.1")))
	gap, err = shim.OutputMeanwhile(filepath.Join(small, "out"), 8192, append(page, page...), page, none, func() {
		require.NoError(t, unix.Mount("", small, "", unix.MS_REMOUNT, "size=64k"))
	})
	require.ErrorIs(t, err, unix.ENOSPC, "there is room again, too late")
	assert.EqualValues(t, 4096, gap)
}

// Files that an earlier task has left under the names of an output are no part of it.
func TestOutputOfAFormerTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	for _, name := range []string{file, file + ".0", file + ".1"} {
		require.NoError(t, os.WriteFile(name, []byte("former"), 0o600))
	}
	_, err := shim.Output(file, 10, [][]byte{[]byte("abc")}, false)
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "abc", string(text))
	require.NoError(t, os.MkdirAll(file+".0/in", 0o700))
	_, err = shim.Output(file, 10, nil, false)
	require.ErrorContains(t, err, "remove output of a former task")
}

// The line that marks a gap says how many bytes are missing, if that is known.
func TestGap(t *testing.T) {
	for _, test := range []struct {
		missing, skipped int64
		known            bool
		gap              int64
		mark             string
	}{
		{5, 0, true, 5, "\n[canvass: 5 bytes of output are missing here]\n"},
		{5, 5, true, 5, "\n[canvass: 5 bytes of output are missing here]\n"},
		{0, 0, true, 0, ""},
		{-9, 3, false, 3, "\n[canvass: output is missing here]\n"},
		{-9, 0, false, 0, ""},
	} {
		gap, mark := shim.GapOf(test.missing, test.skipped, test.known)
		assert.Equal(t, test.gap, gap)
		assert.Equal(t, test.mark, mark)
	}
}

// A runner that was interrupted while it completed a file can complete it again.
func TestOutputIsCompletedAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.WriteFile(file, []byte("01234\n[canvass: outp"), 0o600))
	require.NoError(t, os.WriteFile(file+".0", []byte("56789"), 0o600))
	require.NoError(t, os.WriteFile(file+".1", []byte("abc"), 0o600))
	for range 2 {
		_, err := shim.FinishOutput(file, 10, -1)
		require.NoError(t, err)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, "01234\n[canvass: output is missing here]\n89abc", string(got))
	}
}

// Bytes that an interrupted call has appended are no output, and a first half that the disk has cut
// is not filled up.
func TestOutputIsCompletedAsItIs(t *testing.T) {
	for _, test := range []struct{ file, tail, want string }{
		{"01234 and what was appended before", "a", "01234a"},
		{"012", "abc", "012abc"},
		{"", "abc", "abc"},
	} {
		file := filepath.Join(t.TempDir(), "out")
		require.NoError(t, os.WriteFile(file, []byte(test.file), 0o600))
		require.NoError(t, os.WriteFile(file+".1", []byte(test.tail), 0o600))
		gap, err := shim.FinishOutput(file, 10, -1)
		require.NoError(t, err)
		assert.Zero(t, gap)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, test.want, string(got))
	}
	_, err := shim.FinishOutput(filepath.Join(t.TempDir(), "none"), 10, -1)
	assert.ErrorIs(t, err, os.ErrNotExist)
}
