package blobs_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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
	found := blobs.Collect(t.Context(), from, wanted(9, 9))
	got := found.Files
	assert.Equal(t, blobs.Found{Files: []blobs.Entry{
		{Path: "link", Link: secret, Mode: 0o777}, {Path: "root", Link: "/", Mode: 0o777},
		{Path: "sub/hello", Digest: ofHello, Size: 5, Mode: 0o640},
	}}, found)

	hello := func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("hello")), nil }
	to := t.TempDir()
	require.NoError(t, blobs.Lay(to, got, hello, nil))
	require.NoError(t, blobs.Lay(to, got, hello, nil), "again")
	assert.Equal(t, found, blobs.Collect(t.Context(), to, wanted(9, 9)))

	for name, e := range map[string]blobs.Entry{
		"through a link":   {Path: "link", Digest: ofHello, Mode: 0o600},
		"below a link":     {Path: "root/tmp/x", Digest: ofHello, Mode: 0o600},
		"above the folder": {Path: "../x", Digest: ofHello, Mode: 0o600},
		"another content":  {Path: "y", Digest: strings.Repeat("0", 64), Mode: 0o600},
	} {
		require.Error(t, blobs.Lay(to, []blobs.Entry{e}, hello, nil), name)
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
		err := blobs.Lay(to, []blobs.Entry{{Path: name, Digest: ofHello, Size: 5, Mode: 0o600}}, torn, nil)
		require.ErrorIs(t, err, syscall.ENOSPC)
	}
	text, err := os.ReadFile(kept)
	require.NoError(t, err)
	assert.Equal(t, "old", string(text))
	assert.Len(t, blobs.Collect(t.Context(), to, wanted(9, 9)).Files, 1)
}

func wanted(most int, largest int64) blobs.Wanted {
	return blobs.Wanted{File: all, Below: all, Most: most, Largest: largest}
}

// A file that cannot be taken is named, and keeps no other one from being taken.
func TestWhatCanBeTakenIsTaken(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a", "large", "z"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "empty"), 0o700))
	paths := func(f blobs.Found) (kept, missed []string) {
		for _, e := range f.Files {
			kept = append(kept, e.Path)
		}
		for _, m := range f.Missed {
			missed = append(missed, m.Path)
			require.ErrorIs(t, m.Err, blobs.ErrLarge)
		}
		return kept, missed
	}
	found := blobs.Collect(t.Context(), folder, wanted(9, 4))
	kept, missed := paths(found)
	assert.Equal(t, [][]string{{"a", "z"}, {"large"}, {"pipe"}}, [][]string{kept, missed, found.Others})
	kept, missed = paths(blobs.Collect(t.Context(), folder, wanted(2, 9)))
	assert.Equal(t, [][]string{{"a", "large"}, {"pipe", "z"}}, [][]string{kept, missed})

	if os.Geteuid() > 0 { // nothing is closed to root
		require.NoError(t, os.Chmod(filepath.Join(folder, "a"), 0))
		require.NoError(t, os.Chmod(filepath.Join(folder, "empty"), 0))
		found = blobs.Collect(t.Context(), folder, wanted(9, 9))
		require.Equal(t, []blobs.Miss{{"a", syscall.EACCES}, {"empty/", syscall.EACCES}}, found.Missed)
		none := wanted(9, 9)
		none.Below = func(string) bool { return false }
		none.File = func(name string) bool { return name == "z" }
		assert.Empty(t, blobs.Collect(t.Context(), folder, none).Missed, "nothing in it is wanted")
	}
	assert.Empty(t, blobs.Collect(t.Context(), filepath.Join(folder, "nowhere"), wanted(9, 9)))
	file := blobs.Collect(t.Context(), filepath.Join(folder, "z"), wanted(9, 9))
	require.Len(t, file.Missed, 1, "it is no folder")
}

// Lay writes all files that it can, and reports the written ones and the failures.
func TestLayGoesOn(t *testing.T) {
	open := func(digest string) (io.ReadCloser, error) {
		if digest != ofHello {
			return nil, blobs.ErrLost
		}
		return io.NopCloser(strings.NewReader("hello")), nil
	}
	lost := strings.Repeat("0", 64)
	some := []blobs.Entry{{Path: "a", Digest: lost, Mode: 0o600}, {Path: "b", Digest: ofHello, Mode: 0o600}}
	for i := range 9 {
		some = append(some, blobs.Entry{Path: fmt.Sprint(i), Digest: lost, Mode: 0o600})
	}
	var laid []string
	err := blobs.Lay(t.TempDir(), some, open, func(e blobs.Entry) error {
		laid = append(laid, e.Path)
		return nil
	})
	require.ErrorIs(t, err, blobs.ErrLost)
	assert.Equal(t, []string{"b"}, laid)
	assert.Contains(t, err.Error(), `"a": `)
	assert.Contains(t, err.Error(), "and 7 more files")
	err = blobs.Lay(t.TempDir(), some[1:], open, func(blobs.Entry) error { return io.ErrShortWrite })
	require.ErrorIs(t, err, io.ErrShortWrite)
}

// An error of the disk is another one than an error of the source.
func TestAFullDiskIsNoBadSource(t *testing.T) {
	folder := t.TempDir()
	s, err := blobs.Open(folder)
	require.NoError(t, err)
	_, _, err = s.Put(iotest.ErrReader(io.ErrUnexpectedEOF), "", 9)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NotErrorIs(t, err, blobs.ErrUnwritten)
	require.NoError(t, os.Remove(filepath.Join(folder, "half")))
	_, _, err = s.Put(strings.NewReader("hello"), "", 9)
	require.ErrorIs(t, err, blobs.ErrUnwritten)
	assert.False(t, s.Has(ofHello))
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

// Only a digest leads to a content: no other text leads to any file, or ends the program.
func TestOnlyDigestsNameContents(t *testing.T) {
	folder := t.TempDir()
	s, err := blobs.Open(filepath.Join(folder, "contents"))
	require.NoError(t, err)
	digest, _, err := s.Put(strings.NewReader("text"), "", 10)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "secret"), nil, 0o600))
	for _, name := range []string{
		"", "0", "..", "../secret", "../../secret", "xx/../../secret", strings.ToUpper(digest), digest + "0", digest[:63],
		"../" + strings.Repeat("0", 61), strings.Repeat("g", 64), digest[:2] + "/" + digest[2:], "half", "\x00",
	} {
		require.False(t, s.Has(name), name)
		_, err := s.Open(name)
		require.ErrorIs(t, err, blobs.ErrLost, name)
	}
	require.True(t, s.Has(digest))
}

// A walk through what a job has left ends: at a depth, and with its context.
func TestAWalkEnds(t *testing.T) {
	folder := t.TempDir()
	deep := folder
	for range 150 {
		deep = filepath.Join(deep, "d")
		require.NoError(t, os.Mkdir(deep, 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(deep, "f"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "f"), nil, 0o600))
	below := true
	wanted := blobs.Wanted{
		File: func(string) bool { return true }, Below: func(string) bool { return below }, Most: 9, Largest: 9,
	}
	found := blobs.Collect(t.Context(), folder, wanted)
	require.Len(t, found.Files, 1)
	require.Len(t, found.Missed, 1)
	require.ErrorIs(t, found.Missed[0].Err, blobs.ErrLarge)
	below = false
	require.Empty(t, blobs.Collect(t.Context(), folder, wanted).Missed, "nothing below is wanted")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	found = blobs.Collect(ctx, folder, wanted)
	require.Empty(t, found.Files)
	require.ErrorIs(t, found.Missed[0].Err, context.Canceled)
}

// A content with one wrong byte at any place, or of another length, is not given out, and its place
// is free for another copy.
func TestADamagedContentIsRemoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(t, "content")
		folder, err := os.MkdirTemp("", "blobs")
		require.NoError(t, err)
		defer os.RemoveAll(folder)
		s, err := blobs.Open(folder)
		require.NoError(t, err)
		digest, _, err := s.Put(bytes.NewReader(content), "", 100)
		require.NoError(t, err)
		require.True(t, s.IsSound(digest))

		damaged := bytes.Clone(content)
		at := rapid.IntRange(0, len(content)).Draw(t, "at")
		if at == len(content) {
			damaged = damaged[:at-1]
		} else {
			damaged[at] ^= rapid.Byte().Filter(func(b byte) bool { return b > 0 }).Draw(t, "bits")
		}
		require.NoError(t, os.WriteFile(filepath.Join(folder, digest[:2], digest[2:]), damaged, 0o600))
		_, err = s.Sound(digest)
		require.ErrorIs(t, err, blobs.ErrCorrupt)
		_, err = s.Sound(digest)
		require.ErrorIs(t, err, blobs.ErrLost)

		_, _, err = s.Put(bytes.NewReader(content), digest, 100)
		require.NoError(t, err)
		f, err := s.Sound(digest)
		require.NoError(t, err)
		defer f.Close()
		got, err := io.ReadAll(f)
		require.NoError(t, err)
		require.Equal(t, content, got)
	})
}

// A link in place of a folder is not followed to other places.
func TestAFolderThatWasReplaced(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "elsewhere"), 0o700))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "own", "real"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "elsewhere", "secret"), []byte("x"), 0o600))
	wanted := blobs.Wanted{
		File: func(string) bool { return true }, Below: func(string) bool { return true }, Most: 10, Largest: 10,
	}
	for i, target := range []string{filepath.Join(dir, "elsewhere"), "../elsewhere", "real/../../elsewhere", "/"} {
		link := filepath.Join(dir, "own", strconv.Itoa(i))
		require.NoError(t, os.Symlink(target, link))
		found := blobs.Collect(t.Context(), link, wanted)
		require.Empty(t, found.Files)
		require.Len(t, found.Missed, 1)
		_, err := blobs.OpenFolder(link)
		require.Error(t, err)
	}
}
