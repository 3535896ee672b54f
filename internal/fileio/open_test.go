package fileio_test

import (
	"fmt"
	"net"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// No name makes its user wait, and an error describes the file.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	folder := t.TempDir()
	pipe, socket, file := filepath.Join(folder, "pipe"), filepath.Join(folder, "socket"), filepath.Join(folder, "file")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer l.Close()
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
	for name, want := range map[string]string{
		pipe: "a named pipe", socket: "a socket", folder: "a folder", "/dev/zero": "a device",
	} {
		_, _, err := fileio.Regular(name)
		require.ErrorIs(t, err, fileio.ErrKind)
		assert.EqualError(t, err, fmt.Sprintf("%s is no regular file, but %s", name, want))
	}
	_, err = fileio.Read(pipe, 10)
	require.ErrorIs(t, err, fileio.ErrKind)
	_, err = fileio.Read("/dev/zero", 10)
	require.ErrorContains(t, err, "more than 10 bytes")
	text, err := fileio.Read(file, 4)
	require.NoError(t, err)
	assert.Equal(t, "text", string(text))
	root, err := os.OpenRoot(folder)
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, os.Symlink("file", filepath.Join(folder, "link")))
	for name, want := range map[string]string{
		"pipe": "a named pipe", "socket": "a socket", ".": "a folder", "link": "a symbolic link",
	} {
		_, _, err := fileio.Below(root, name)
		require.ErrorIs(t, err, fileio.ErrKind)
		assert.EqualError(t, err, fmt.Sprintf("%s is no regular file, but %s", name, want))
	}
	_, _, err = fileio.Below(root, "../"+filepath.Base(folder)+"/file")
	require.Error(t, err)
	below, _, err := fileio.Below(root, "file")
	require.NoError(t, err)
	require.NoError(t, below.Close())
	f, info, err := fileio.Regular(file)
	require.NoError(t, err)
	assert.Equal(t, int64(4), info.Size())
	require.NoError(t, f.Close())
}

// A pipe with a writer is read to its end, even if the end is late.
func TestAPipeIsRead(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	go func() {
		_, _ = w.WriteString("from a pipe")
		_ = w.Close()
	}()
	text, err := fileio.Read(fmt.Sprintf("/dev/fd/%d", r.Fd()), 100)
	require.NoError(t, err)
	assert.Equal(t, "from a pipe", string(text))
}

// An error about JSON speaks of the text, not of this program.
func TestErrorsOfJSONSpeakOfTheText(t *testing.T) {
	type inner struct {
		Count int8 `json:"count"`
	}
	var into struct {
		Name string   `json:"name"`
		List []string `json:"list"`
		In   inner    `json:"in"`
		On   bool     `json:"on"`
	}
	for text, want := range map[string]string{
		"{\n\"name\": 7}":                "line 2: name is a JSON number; want a string",
		"{\"list\": {}}":                 "line 1: list is a JSON object; want an array",
		"{\n\n\"in\": {\"count\": 400}}": "line 3: in.count is a JSON number 400; want a whole number, within its range",
		"{\"in\": []}":                   "line 1: in is a JSON array; want an object",
		"{\"on\": null, \"on\": 1}":      "line 1: on is a JSON number; want true or false",
		"[]":                             "line 1: it is a JSON array; want an object",
		"{\n}}":                          "line 2: not JSON: invalid character '}' after top-level value",
		"":                               "line 1: not JSON: unexpected end of JSON input",
	} {
		assert.EqualError(t, fileio.JSON([]byte(text), &into), want)
	}
	assert.NoError(t, fileio.JSON([]byte(`{"name": "a"}`), &into))
}

// A folder may be called like a pattern that fits another one.
func TestMatch(t *testing.T) {
	parent := t.TempDir()
	for _, folder := range []string{"[a]", "a", "*", "b?"} {
		require.NoError(t, os.MkdirAll(filepath.Join(parent, folder, "n1"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(parent, folder, "n1", "x.cfr"), nil, 0o600))
	}
	for _, folder := range []string{"[a]", "*", "b?"} {
		found, err := fileio.Match(filepath.Join(parent, folder), "n*/*.cfr")
		require.NoError(t, err)
		assert.Equal(t, []string{filepath.Join(parent, folder, "n1", "x.cfr")}, found)
	}
	found, err := fileio.Match(filepath.Join(parent, "none"), "*")
	require.NoError(t, err)
	assert.Empty(t, found)
	_, err = fileio.Match(parent, "[")
	require.ErrorIs(t, err, path.ErrBadPattern)
}
