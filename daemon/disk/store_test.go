package disk_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/disk"
)

func open(t *testing.T, folder string) *disk.Store {
	t.Helper()
	s, err := disk.Open(folder)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestWhatIsCommittedIsThereAfterwards(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	require.NoError(t, s.Commit(
		disk.Put{Bucket: disk.Jobs, Key: []byte("a"), Value: []byte("one")},
		disk.Put{Bucket: disk.Jobs, Key: []byte("b"), Value: []byte("two")},
	))
	require.NoError(t, s.Commit(disk.Put{Bucket: disk.Jobs, Key: []byte("a")}))
	require.NoError(t, s.Close())

	s = open(t, folder)
	var keys []string
	require.NoError(t, s.Each(disk.Jobs, nil, func(key, value []byte) error {
		keys = append(keys, string(key)+"="+string(value))
		return nil
	}))
	assert.Equal(t, []string{"b=two"}, keys)
	gone, err := s.Get(disk.Jobs, []byte("a"))
	require.NoError(t, err)
	assert.Nil(t, gone)
}

func TestEachFindsTheKeysThatBeginSo(t *testing.T) {
	s := open(t, t.TempDir())
	for _, key := range []string{"a", "ab", "abc", "b"} {
		require.NoError(t, s.Commit(disk.Put{Bucket: disk.Jobs, Key: []byte(key), Value: []byte("one")}))
	}
	for prefix, want := range map[string][]string{"": {"a", "ab", "abc", "b"}, "ab": {"ab", "abc"}, "b": {"b"}, "c": nil} {
		var keys []string
		require.NoError(t, s.Each(disk.Jobs, []byte(prefix), func(key, _ []byte) error {
			keys = append(keys, string(key))
			return nil
		}))
		assert.Equal(t, want, keys, prefix)
	}
}

func TestACommitIsAllOrNothing(t *testing.T) {
	s := open(t, t.TempDir())
	err := s.Commit(
		disk.Put{Bucket: disk.Jobs, Key: []byte("a"), Value: []byte("one")},
		disk.Put{Bucket: disk.Jobs, Key: nil, Value: []byte("a key must not be empty")},
	)
	require.Error(t, err)
	value, err := s.Get(disk.Jobs, []byte("a"))
	require.NoError(t, err)
	assert.Nil(t, value)
}

func TestAFolderHasOneDaemon(t *testing.T) {
	folder := t.TempDir()
	open(t, folder)
	_, err := disk.Open(folder)
	assert.ErrorIs(t, err, disk.ErrInUse)
}

func TestAnotherSchemaIsRefused(t *testing.T) {
	for _, number := range []uint32{disk.Schema - 1, disk.Schema + 1} {
		folder := t.TempDir()
		s := open(t, folder)
		other := binary.BigEndian.AppendUint32(nil, number)
		require.NoError(t, s.Commit(disk.Put{Bucket: disk.Meta, Key: []byte("schema"), Value: other}))
		require.NoError(t, s.Close())
		_, err := disk.Open(folder)
		require.ErrorIs(t, err, disk.ErrSchema)
		assert.ErrorContains(t, err, fmt.Sprint(number))
	}
}

// Before schema 4 the number was all of the value, and no value had a checksum.
func TestASchemaWithoutChecksumsIsRefused(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	require.NoError(t, disk.Rewrite(s, disk.Meta, []byte("schema"), binary.BigEndian.AppendUint32(nil, 3)))
	require.NoError(t, disk.Rewrite(s, disk.Jobs, []byte("a"), []byte("a record without a checksum")))
	require.NoError(t, s.Close())
	_, err := disk.Open(folder)
	require.ErrorIs(t, err, disk.ErrSchema)
	require.NotErrorIs(t, err, disk.ErrStorage)
	assert.ErrorContains(t, err, "3, and this build knows 4")
}

func TestAStoreHasOneNode(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	require.NoError(t, s.Claim("grid1", "A"))
	require.NoError(t, s.Close())
	s = open(t, folder)
	require.NoError(t, s.Claim("grid1", "A"))
	err := s.Claim("grid1", "B")
	require.ErrorIs(t, err, disk.ErrOwner)
	require.ErrorContains(t, err, "canvass.db is of node A, and its folder of node B; put ")
	err = s.Claim("grid2", "A")
	require.ErrorIs(t, err, disk.ErrOwner)
	require.ErrorContains(t, err, "of grid grid1, and its folder of grid grid2; put ")
}
