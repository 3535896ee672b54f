package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/disk"
)

func TestAFailureNamesTheFileAndTheRemedy(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/data/canvass.db", Err: syscall.ENOSPC}
	for err, remedy := range map[error]string{
		full:                        "free space there",
		syscall.EDQUOT:              "free space there",
		syscall.EROFS:               "can be written, and start the daemon again",
		fs.ErrPermission:            "use it, with chown or chmod, and start the daemon again",
		syscall.EIO:                 "repair the disk",
		fmt.Errorf("nothing known"): "repair the disk",
	} {
		err = disk.Failed("writing to", "/data/canvass.db", err)
		require.ErrorIs(t, err, disk.ErrStorage)
		require.ErrorContains(t, err, "/data/canvass.db")
		require.ErrorContains(t, err, remedy)
	}
	assert.EqualError(t, disk.Failed("writing to", "/data/canvass.db", full),
		"the storage has failed: writing to /data/canvass.db: no space left on device; "+
			"free space there and start the daemon again: everything acknowledged is kept")
	assert.EqualError(t, disk.Damaged("/data", disk.Cores, []byte{1, 255}, errors.New("no state")),
		"the storage has failed: reading /data/canvass.db: the file is damaged: the value of 0x01ff in cores: no state; "+
			"put back a backup that was made since the daemon last ended, or "+disk.Anew)
}

func TestACommitThatFailsIsAFailureOfTheStorage(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	require.NoError(t, s.Close())
	err := s.Commit(disk.Put{Bucket: disk.Jobs, Key: []byte("a"), Value: []byte("one")})
	require.ErrorIs(t, err, disk.ErrStorage)
}

func TestAFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := disk.Open(filepath.Join(file, "data"))
	require.ErrorIs(t, err, disk.ErrStorage)
}

// written is the file of a store with some jobs.
func written(t *testing.T) []byte {
	folder := t.TempDir()
	s := open(t, folder)
	for i := range 200 {
		put := disk.Put{Bucket: disk.Jobs, Key: fmt.Appendf(nil, "job-%03d", i), Value: make([]byte, 300)}
		require.NoError(t, s.Commit(put))
	}
	require.NoError(t, s.Close())
	file, err := os.ReadFile(filepath.Join(folder, "canvass.db"))
	require.NoError(t, err)
	return file
}

// opened opens a store with such a file.
func opened(t interface {
	require.TestingT
	Helper()
}, folder string, file []byte,
) error {
	t.Helper()
	name := filepath.Join(folder, "canvass.db")
	require.NoError(t, os.RemoveAll(name)) // the failed store may still hold the former file
	require.NoError(t, os.WriteFile(name, file, 0o600))
	s, err := disk.Open(folder)
	if err == nil {
		require.NoError(t, s.Close())
	}
	return err
}

func TestAFileThatIsNoStore(t *testing.T) {
	file, folder := written(t), t.TempDir()
	random := make([]byte, len(file))
	for i := range random {
		random[i] = byte(i*i>>8 + i)
	}
	for name, damaged := range map[string][]byte{
		"random":       random,
		"cut off":      file[:len(file)/2],
		"nearly empty": file[:100],
		"overwritten":  append(append([]byte{}, file[:2<<12]...), random[2<<12:]...),
	} {
		err := opened(t, folder, damaged)
		require.ErrorIs(t, err, disk.ErrStorage, name)
		require.ErrorContains(t, err, filepath.Join(folder, "canvass.db"), name)
		require.ErrorContains(t, err, "put back a backup", name)
	}
}

// A file that was cut off within a value is refused when it is opened, not when that is read.
func TestAFileThatIsCutOffWithinAValue(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	require.NoError(t, s.Commit(disk.Put{Bucket: disk.Jobs, Key: []byte("a"), Value: make([]byte, 300_000)}))
	require.NoError(t, s.Close())
	file, err := os.ReadFile(filepath.Join(folder, "canvass.db"))
	require.NoError(t, err)
	refused := 0
	for size := len(file) - 4096; size > 100_000; size -= 40_960 {
		if err := opened(t, folder, file[:size]); err != nil { // else nothing was there
			require.ErrorIs(t, err, disk.ErrStorage, size)
			refused++
		}
	}
	require.NotZero(t, refused)
}

// A file that has lost all of its buckets is not taken for a new file without buckets.
func TestAFileThatHasLostItsBuckets(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "canvass.db")
	made, err := bbolt.Open(name, 0o600, nil) // and the process ended before it made the buckets
	require.NoError(t, err)
	require.NoError(t, made.Close())

	s := open(t, folder)
	require.NoError(t, disk.DropBuckets(s))
	require.NoError(t, s.Close())
	for range 2 {
		_, err := disk.Open(folder)
		require.ErrorIs(t, err, disk.ErrStorage)
		require.ErrorContains(t, err, "the bucket meta is missing; put back a backup")
	}
}

// Damage is refused, or was where it does not matter for reading all keys. It never ends the
// process.
func TestDamageIsAnError(t *testing.T) {
	file, folder := written(t), t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		damaged := append([]byte{}, file...)
		at := rapid.IntRange(0, len(file)-1).Draw(t, "at")
		copy(damaged[at:], rapid.SliceOfN(rapid.Byte(), 1, 5000).Draw(t, "bytes"))
		damaged = damaged[:rapid.IntRange(at, len(file)).Draw(t, "length")]
		if len(damaged) == 0 {
			return // a new store
		}
		if err := opened(t, folder, damaged); err != nil {
			require.True(t, errors.Is(err, disk.ErrStorage) || errors.Is(err, disk.ErrSchema), err)
		}
	})
}

// A mistake of this program is no damage: its panic is not recovered, and the store still works.
func TestAPanicOfTheCallerIsNoDamage(t *testing.T) {
	s := open(t, t.TempDir())
	put := disk.Put{Bucket: disk.Jobs, Key: []byte("a"), Value: []byte("one")}
	require.NoError(t, s.Commit(put))
	var jobs map[string]bool
	require.PanicsWithError(t, "assignment to entry in nil map", func() {
		_ = s.Each(disk.Jobs, nil, func(key, _ []byte) error {
			jobs[string(key)] = true
			return nil
		})
	})
	require.NoError(t, s.Commit(put))
}

func TestADiskIsLowBeforeItIsFull(t *testing.T) {
	const mib, gib = 1 << 20, 1 << 30
	require.NoError(t, disk.LowOf(64*mib, 100*gib))
	require.NoError(t, disk.LowOf(mib, 8*mib))
	err := disk.LowOf(63*mib, 100*gib)
	require.ErrorIs(t, err, disk.ErrLow)
	assert.EqualError(t, err, "disk-low: 64512 KiB are left on the disk of /data, and 65536 KiB must be; "+
		"free space there, or ask another daemon")
	require.ErrorIs(t, disk.LowOf(0, 8*mib), disk.ErrLow)
	require.NoError(t, disk.Low(filepath.Join(t.TempDir(), "none")))
}
