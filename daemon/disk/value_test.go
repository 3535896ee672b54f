package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/disk"
)

// kept is a store with such values.
func kept(t interface {
	require.TestingT
	Helper()
}, folder string, puts []disk.Put,
) *disk.Store {
	t.Helper()
	require.NoError(t, os.RemoveAll(filepath.Join(folder, "canvass.db")))
	s, err := disk.Open(folder)
	require.NoError(t, err)
	require.NoError(t, s.Commit(puts...))
	return s
}

// names demands that an error is about this value of the file in a folder, and says what to do.
func names(t require.TestingT, err error, folder string, p disk.Put) {
	require.ErrorIs(t, err, disk.ErrStorage)
	var value *disk.ValueError
	require.True(t, errors.As(err, &value), err)
	require.Equal(t, p.Bucket, value.Bucket)
	require.Equal(t, p.Key, value.Key)
	require.ErrorContains(t, err, filepath.Join(folder, "canvass.db"))
	require.ErrorContains(t, err, "put back a backup")
}

// refuses demands that no way to read this value accepts it.
func refuses(t require.TestingT, s *disk.Store, folder string, p disk.Put) {
	value, err := s.Get(p.Bucket, p.Key)
	names(t, err, folder, p)
	require.Nil(t, value)
	names(t, s.Each(p.Bucket, nil, func(key, _ []byte) error {
		require.NotEqual(t, p.Key, key)
		return nil
	}), folder, p)
	require.NoError(t, s.Close())
	_, err = disk.Open(folder)
	names(t, err, folder, p)
}

var places = rapid.Custom(func(t *rapid.T) disk.Put {
	return disk.Put{
		Bucket: rapid.SampledFrom([]string{disk.Meta, disk.Cores, disk.Jobs, disk.Forgotten}).Draw(t, "bucket"),
		Key:    rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "key"),
		Value:  rapid.SliceOfN(rapid.Byte(), 0, 3000).Draw(t, "value"),
	}
})

// Any byte of a value, and of its checksum, may be another one: a read reports it, and so does the
// next start.
func TestADamagedValueIsRefused(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		p := places.Draw(t, "put")
		s := kept(t, folder, []disk.Put{p})
		defer s.Close()
		value, err := s.Get(p.Bucket, p.Key)
		require.NoError(t, err)
		require.Equal(t, p.Value, value)

		stored := disk.Stored(s, p.Bucket, p.Key)
		if rapid.Bool().Draw(t, "cut") {
			stored = stored[:rapid.IntRange(0, len(stored)-1).Draw(t, "length")]
		} else {
			stored[rapid.IntRange(0, len(stored)-1).Draw(t, "at")] ^= rapid.ByteRange(1, 255).Draw(t, "bits")
		}
		require.NoError(t, disk.Rewrite(s, p.Bucket, p.Key, stored))
		refuses(t, s, folder, p)
	})
}

// A value that is whole is refused at another key, and in another bucket.
func TestAValueInAWrongPlaceIsRefused(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		p, q := places.Draw(t, "put"), places.Draw(t, "place")
		if rapid.Bool().Draw(t, "same key") {
			q.Key = p.Key
		}
		if p.Bucket == q.Bucket && string(p.Key) == string(q.Key) {
			return
		}
		s := kept(t, folder, []disk.Put{p})
		defer s.Close()
		require.NoError(t, disk.Rewrite(s, q.Bucket, q.Key, disk.Stored(s, p.Bucket, p.Key)))
		refuses(t, s, folder, q)
	})
}

// Where a value was, the file has a bucket: a flag of the page is another one. The value is not
// taken for a missing one.
func TestAValueThatHasBecomeABucket(t *testing.T) {
	folder := t.TempDir()
	p := disk.Put{Bucket: disk.Jobs, Key: []byte("a")}
	s := kept(t, folder, nil)
	defer s.Close()
	require.NoError(t, disk.MakeBucket(s, p.Bucket, p.Key))
	refuses(t, s, folder, p)
}

// A byte of the file is another one: the file is refused, or all that is read was written there.
func TestNoDamageOfTheFileIsAValue(t *testing.T) {
	folder := t.TempDir()
	var puts []disk.Put
	for i := range 40 {
		puts = append(puts, disk.Put{
			Bucket: disk.Jobs, Key: fmt.Appendf(nil, "job-%03d", i), Value: fmt.Appendf(nil, "%0*d", 200+i, i),
		})
	}
	require.NoError(t, kept(t, folder, puts).Close())
	name := filepath.Join(folder, "canvass.db")
	file, err := os.ReadFile(name)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		damaged := append([]byte{}, file...)
		damaged[rapid.IntRange(0, len(file)-1).Draw(t, "at")] ^= rapid.ByteRange(1, 255).Draw(t, "bits")
		require.NoError(t, os.RemoveAll(name))
		require.NoError(t, os.WriteFile(name, damaged, 0o600))
		s, err := disk.Open(folder)
		if err != nil {
			require.True(t, errors.Is(err, disk.ErrStorage) || errors.Is(err, disk.ErrSchema), err)
			return
		}
		defer s.Close()
		require.NoError(t, s.Each(disk.Jobs, nil, func(key, value []byte) error {
			for _, p := range puts {
				if string(p.Key) == string(key) && string(p.Value) == string(value) {
					return nil
				}
			}
			return errors.New("it was never written")
		}))
	})
}

// A value that its reader cannot decode is damage, too.
func TestAValueThatMakesNoSense(t *testing.T) {
	folder := t.TempDir()
	p := disk.Put{Bucket: disk.Jobs, Key: []byte("a"), Value: []byte("of another build")}
	s := kept(t, folder, []disk.Put{p})
	defer s.Close()
	strange := errors.New("version 9")
	err := s.Each(disk.Jobs, nil, func(_, _ []byte) error { return strange })
	names(t, err, folder, p)
	require.ErrorIs(t, err, strange)
	require.ErrorContains(t, err, "the value of a in jobs: version 9")
}

// The file is damaged while the store is open: reads and writes fail, and the store can be closed.
func TestDamageUnderAnOpenStore(t *testing.T) {
	folder := t.TempDir()
	var puts []disk.Put
	for i := range 100 {
		puts = append(puts, disk.Put{Bucket: disk.Jobs, Key: fmt.Appendf(nil, "job-%03d", i), Value: make([]byte, 300)})
	}
	name := filepath.Join(folder, "canvass.db")
	rapid.Check(t, func(t *rapid.T) {
		s := kept(t, folder, puts)
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		require.NoError(t, err)
		defer file.Close()
		info, err := file.Stat()
		require.NoError(t, err)
		at := rapid.Int64Range(0, info.Size()-1).Draw(t, "at")
		if rapid.Bool().Draw(t, "cut") {
			require.NoError(t, file.Truncate(at))
		} else {
			_, err = file.WriteAt(rapid.SliceOfN(rapid.Byte(), 1, 20_000).Draw(t, "bytes"), at)
			require.NoError(t, err)
		}
		read, written := puts[rapid.IntRange(0, 99).Draw(t, "read")], puts[rapid.IntRange(0, 99).Draw(t, "written")]
		ended := make(chan []error, 1)
		go func() {
			_, err := s.Get(disk.Jobs, read.Key)
			all := []error{
				err, s.Each(disk.Jobs, nil, func(_, _ []byte) error { return nil }),
				s.Commit(written), s.Commit(puts...),
			}
			_ = s.Close() // the process can end in spite of an error
			ended <- all
		}()
		select {
		case all := <-ended:
			for _, err := range all {
				require.True(t, err == nil || errors.Is(err, disk.ErrStorage), err)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("the store hangs")
		}
	})
}
