package blobs_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/blobs"
)

const ofHello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

func TestContentsAreKeptByTheirDigest(t *testing.T) {
	folder := t.TempDir()
	s, err := blobs.Open(folder)
	require.NoError(t, err)
	digest, size, err := s.Put(strings.NewReader("hello"), "", 5)
	require.NoError(t, err)
	assert.Equal(t, ofHello, digest)
	assert.EqualValues(t, 5, size)
	_, _, err = s.Put(strings.NewReader("hello"), "", 4)
	require.ErrorIs(t, err, blobs.ErrLarge)
	_, _, err = s.Put(strings.NewReader("hullo"), ofHello, 5)
	require.ErrorIs(t, err, blobs.ErrCorrupt)

	s, err = blobs.Open(folder)
	require.NoError(t, err)
	assert.True(t, s.Has(ofHello))
	f, err := s.Open(ofHello)
	require.NoError(t, err)
	defer f.Close()
	text, err := io.ReadAll(f)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(text))
	_, err = s.Open(strings.Repeat("0", 64))
	assert.ErrorIs(t, err, blobs.ErrLost)
	left, err := os.ReadDir(filepath.Join(folder, "half"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestContentsThatNobodyWantsAreRemoved(t *testing.T) {
	s, err := blobs.Open(t.TempDir())
	require.NoError(t, err)
	a, _, err := s.Put(strings.NewReader("a"), "", 9)
	require.NoError(t, err)
	b, _, err := s.Put(strings.NewReader("b"), "", 9)
	require.NoError(t, err)
	only := func(digest string) bool { return digest == a }
	removed, err := s.Sweep(only, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	assert.Zero(t, removed, "they are young")
	removed, err = s.Sweep(only, time.Now().Add(time.Hour))
	require.NoError(t, err)
	assert.Equal(t, 1, removed)
	assert.True(t, s.Has(a) && !s.Has(b))
	require.NoError(t, s.Shrink(1))
	assert.True(t, s.Has(a))
	require.NoError(t, s.Shrink(0))
	assert.False(t, s.Has(a))
}

func all(string) bool { return true }

func TestNoFileLeavesItsFolder(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("s"), 0o600))
	from := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(from, "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(from, "sub", "hello"), []byte("hello"), 0o640))
	require.NoError(t, os.Symlink(secret, filepath.Join(from, "link")))
	require.NoError(t, os.Symlink("/", filepath.Join(from, "root")))
	got, err := blobs.Collect(from, all, 9, 9)
	require.NoError(t, err)
	assert.Equal(t, []blobs.Entry{
		{Path: "link", Link: secret, Mode: 0o777}, {Path: "root", Link: "/", Mode: 0o777},
		{Path: "sub/hello", Digest: ofHello, Size: 5, Mode: 0o640},
	}, got)
	_, err = blobs.Collect(from, all, 2, 9)
	require.ErrorIs(t, err, blobs.ErrLarge)
	_, err = blobs.Collect(from, all, 9, 4)
	require.ErrorIs(t, err, blobs.ErrLarge)

	hello := func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("hello")), nil }
	to := t.TempDir()
	require.NoError(t, blobs.Lay(to, got, hello))
	require.NoError(t, blobs.Lay(to, got, hello), "again")
	again, err := blobs.Collect(to, all, 9, 9)
	require.NoError(t, err)
	assert.Equal(t, got, again)

	for name, e := range map[string]blobs.Entry{
		"through a link":   {Path: "link", Digest: ofHello, Mode: 0o600},
		"below a link":     {Path: "root/tmp/x", Digest: ofHello, Mode: 0o600},
		"above the folder": {Path: "../x", Digest: ofHello, Mode: 0o600},
		"another content":  {Path: "y", Digest: strings.Repeat("0", 64), Mode: 0o600},
	} {
		require.Error(t, blobs.Lay(to, []blobs.Entry{e}, hello), name)
	}
	text, err := os.ReadFile(secret)
	require.NoError(t, err)
	assert.Equal(t, "s", string(text))
}

// A content that ends early, or a disk that is full, leaves the file of before, or none.
func TestAPartOfAFileHasNotItsName(t *testing.T) {
	to := t.TempDir()
	kept := filepath.Join(to, "kept")
	require.NoError(t, os.WriteFile(kept, []byte("old"), 0o600))
	torn := func(string) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("hel"), iotest.ErrReader(syscall.ENOSPC))), nil
	}
	for _, name := range []string{"kept", "new", "sub/new"} {
		err := blobs.Lay(to, []blobs.Entry{{Path: name, Digest: ofHello, Size: 5, Mode: 0o600}}, torn)
		require.ErrorIs(t, err, syscall.ENOSPC)
	}
	text, err := os.ReadFile(kept)
	require.NoError(t, err)
	assert.Equal(t, "old", string(text))
	left, err := blobs.Collect(to, all, 9, 9)
	require.NoError(t, err)
	assert.Len(t, left, 1)
}

func TestSourcesOfAUser(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a"), nil, 0o600))
	require.NoError(t, os.Symlink("a", filepath.Join(folder, "b")))
	names, err := blobs.Sources(folder, all, 2)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, names)
	_, err = blobs.Sources(folder, all, 1)
	require.ErrorIs(t, err, blobs.ErrLarge)
	for name, target := range map[string]string{"nowhere": "c", "folder": ".", "out": "/etc/hostname"} {
		link := filepath.Join(folder, name)
		require.NoError(t, os.Symlink(target, link))
		_, err = blobs.Sources(folder, all, 9)
		require.ErrorIs(t, err, blobs.ErrIrregular)
		require.ErrorContains(t, err, name)
		names, err = blobs.Sources(folder, func(path string) bool { return path != name }, 9)
		require.NoError(t, err, "it is not wanted")
		assert.Equal(t, []string{"a", "b"}, names)
		require.NoError(t, os.Remove(link))
	}
}
