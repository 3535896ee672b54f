package fileio_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// zipped packs texts, each as a separate member.
func zipped(t testing.TB, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		z := gzip.NewWriter(&b)
		_, err := io.WriteString(z, text)
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	return b.String()
}

func TestTextsAreRead(t *testing.T) {
	long := strings.Repeat("a line\r\n", 1<<15)
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", ""},
		{"plain", "a\nb\n", "a\nb\n"},
		{"a byte order mark", "\xef\xbb\xbfa\n", "a\n"},
		{"a byte order mark alone", "\xef\xbb\xbf", ""},
		{"a mark is text elsewhere", "a\xef\xbb\xbf\n", "a\xef\xbb\xbf\n"},
		{"ends of lines are kept", "a\r\nb\r\r\nc\r", "a\r\nb\r\r\nc\r"},
		{"long", long, long},
		{"packed", zipped(t, long), long},
		{"packed in parts", zipped(t, "a\n", "", "b\n"), "a\nb\n"},
		{"packed with a mark", zipped(t, "\xef\xbb\xbfa\n"), "a\n"},
		{"zeros after packed text", zipped(t, "a\n") + strings.Repeat("\x00", 1<<17), "a\n"},
		{"one zero after packed text", zipped(t, "a\n") + "\x00", "a\n"},
		{"Latin-1", "caf\xe9\n", "caf\xe9\n"},
		{"short", "a", "a"},
		{"tags", "<a>", "<a>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := fileio.TextOf([]byte(c.file), 1<<20)
			require.NoError(t, err)
			assert.Equal(t, c.want, string(text))
		})
	}
}

func TestWhatIsNoTextIsNamed(t *testing.T) {
	whole := zipped(t, strings.Repeat("a line\n", 1000))
	damaged := []byte(whole)
	damaged[len(damaged)-5]++
	archive := append(make([]byte, 257), "ustar"...)
	archive[0] = 'a'
	for _, c := range []struct{ name, file, want string }{
		{"UTF-16, little", "\xff\xfea\x00\n\x00", "the text is in UTF-16"},
		{"UTF-16, big", "\xfe\xff\x00a\x00\n", "the text is in UTF-16"},
		{"UTF-16 without a mark", ";\x00 \x00M\x00", "the text is in UTF-16"},
		{"UTF-16 without a mark, big", "\x00;\x00 \x00M", "the text is in UTF-16"},
		{"packed UTF-16", zipped(t, "\xff\xfea\x00"), "the text is in UTF-16"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "the text is in UTF-32"},
		{"UTF-32 without a mark", "\x00\x00\x00a", "the text is in UTF-32"},
		{"CR", "a\rb\rc\r", "a carriage return (CR) stands without a line feed (LF)"},
		{"one CR among others", "a\r\nb\rc\r\n", "a carriage return (CR) stands without a line feed (LF)"},
		{"several CRs", "a\r\r\rb", "a carriage return (CR) stands without a line feed (LF)"},
		{"xz", "\xfd7zXZ\x00 data", "the file is packed with xz"},
		{"zip", "PK\x03\x04 data", "the file is packed with zip"},
		{"tar", string(archive), "the file is an archive of tar"},
		{"packed tar", zipped(t, string(archive)), "the file is an archive of tar"},
		{"gzip in gzip", zipped(t, whole), "the content is packed twice, with gzip and then with gzip"},
		{"xz in gzip", zipped(t, "\xfd7zXZ\x00 data"), "the content is packed twice, with xz and then with gzip"},
		{"a page", "\n <!DOCTYPE HTML>\n<html>", "the file is an HTML page"},
		{"text after packed text", whole + "more", "other data follow the compressed data"},
		{"text after zeros", whole + "\x00\x00more", "other data follow the compressed data"},
		{"cut", whole[:len(whole)-4], "the compressed data ends early"},
		{"cut at the beginning", whole[:5], "the compressed data ends early"},
		{"damaged", string(damaged), "the compressed data is damaged"},
		{"damaged second member", whole + whole[:2] + "x" + whole[3:], "the compressed data is damaged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := fileio.TextOf([]byte(c.file), 1<<20)
			var fault *fileio.TextError
			require.ErrorAs(t, err, &fault)
			assert.True(t, strings.HasPrefix(err.Error(), c.want), err)
			assert.NotEmpty(t, fault.Remedy)
		})
	}
}

// Everything before a fault is read, so that a reader can name its line.
func TestTextIsReadUpToItsFault(t *testing.T) {
	for _, file := range []string{"a\nb\rc\n", zipped(t, "a\nb") + "more"} {
		text, err := io.ReadAll(fileio.Text(strings.NewReader(file)))
		require.Error(t, err)
		assert.Equal(t, "a\nb", string(text))
	}
	gone := errors.New("the disk is gone")
	for _, before := range []string{"", "a", "a\nb\n", zipped(t, "a")} {
		_, err := io.ReadAll(fileio.Text(io.MultiReader(strings.NewReader(before), iotest.ErrReader(gone))))
		assert.Equal(t, gone, err, "%q", before)
	}
}

func TestTextsAreBounded(t *testing.T) {
	_, err := fileio.TextOf([]byte(zipped(t, strings.Repeat("a", 1000))), 999)
	require.EqualError(t, err, "the unpacked text has more than 999 bytes, the limit")
	path := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(path, []byte("\xff\xfea\x00"), 0o600))
	_, err = fileio.ReadText(path, 100)
	assert.EqualError(t, err, path+": the text is in UTF-16, expected UTF-8 or ASCII; "+
		"convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW")
	_, err = fileio.ReadText(path, 3)
	assert.ErrorContains(t, err, "more than 3 bytes")
}

// FuzzText reads a file at once and byte by byte, and packs it: the text is the same.
func FuzzText(f *testing.F) {
	for _, file := range []string{
		"", "a\r\nb\n", "a\rb", "a\r\r\n\r", "\xef\xbb\xbfa", "\xff\xfea\x00", "\x00a\x00b", "BZh", zipped(f, "a\n", "b"),
		zipped(f, "a") + "\x00\x00", zipped(f, "a") + "\x00x", zipped(f, "a")[:9],
	} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		text, err := fileio.TextOf(file, 1<<22)
		slow, slowErr := io.ReadAll(iotest.OneByteReader(fileio.Text(iotest.OneByteReader(bytes.NewReader(file)))))
		require.Equal(t, err == nil, slowErr == nil, "%v, %v", err, slowErr)
		if err != nil {
			require.Equal(t, err.Error(), slowErr.Error())
			return
		}
		assert.Equal(t, string(text), string(slow))
		if !bytes.HasPrefix(file, []byte("\x1f\x8b")) {
			assert.Equal(t, string(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))), string(text))
		}
		unpacked, err := fileio.TextOf([]byte(zipped(t, string(file))), 1<<22)
		if err == nil {
			assert.Equal(t, string(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))), string(unpacked))
		}
	})
}
