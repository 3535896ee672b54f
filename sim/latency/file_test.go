package latency_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/latency"
)

func packed(t testing.TB, text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// The content decides the format, and the digest is that of the bytes in the file.
func TestReadFile(t *testing.T) {
	digests := map[string]bool{}
	for _, test := range []struct {
		text, format string
		sites        int
		micros       int64 // from the first site to the second
	}{
		{matrix, "matrix", 3, 5250}, {pairs, "pairs", 3, 25000}, {countries, "pairs", 2, 18768},
		{coordinates, "coordinates", 2, 3250},
		{strings.SplitAfterN(coordinates, "\n", 2)[1], "coordinates", 2, 3250},
	} {
		for _, text := range []string{test.text, packed(t, test.text)} {
			f, err := latency.ReadFile(strings.NewReader(text))
			require.NoError(t, err)
			assert.Equal(t, test.format, f.Format)
			assert.Equal(t, test.sites, f.Sites.Sites())
			assert.Equal(t, test.micros, f.Sites.Micros(0, 1, nil))
			assert.Len(t, f.Digest, sim.DigestDigits)
			digests[f.Digest] = true
		}
	}
	assert.Len(t, digests, 10)
}

func TestReadFileNamesTheFormat(t *testing.T) {
	for text, want := range map[string]string{
		"1 2\n3\n": "read as matrix: not latencies: line 2", "a,b\n": "read as pairs", "# x\n1 1\n": "read as coordinates",
		"": "read as matrix", packed(t, "1")[:15]: "not latencies", packed(t, "1")[:5]: "not latencies",
	} {
		_, err := latency.ReadFile(strings.NewReader(text))
		require.ErrorIs(t, err, latency.ErrFormat)
		assert.ErrorContains(t, err, want)
	}
}

// Files that other systems have moved mean what they meant, or are named.
func TestReadFileAsOtherSystemsLeaveIt(t *testing.T) {
	for _, text := range []string{matrix, pairs, coordinates} {
		want, err := latency.ReadFile(strings.NewReader(text))
		require.NoError(t, err)
		for _, same := range []string{
			"\xef\xbb\xbf" + text, strings.ReplaceAll(text, "\n", "\r\n"), packed(t, text) + "\x00\x00\x00",
		} {
			f, err := latency.ReadFile(strings.NewReader(same))
			require.NoError(t, err)
			assert.Equal(t, want.Format, f.Format)
			assert.Equal(t, want.Sites, f.Sites)
		}
		for bad, why := range map[string]string{
			"\xff\xfe0\x00":                      "the text is in UTF-16",
			strings.ReplaceAll(text, "\n", "\r"): "a carriage return (CR) stands without a line feed (LF)",
			packed(t, text) + "more":             "other data follow the compressed data",
		} {
			_, err := latency.ReadFile(strings.NewReader(bad))
			require.ErrorIs(t, err, latency.ErrFormat)
			assert.ErrorContains(t, err, why)
		}
	}
}

// FuzzReadFile finds no file that makes the reader panic.
func FuzzReadFile(f *testing.F) {
	for _, text := range []string{matrix, pairs, countries, coordinates, "\xef\xbb\xbf" + matrix, "\xff\xfe0\x00"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		read, err := latency.ReadFile(bytes.NewReader(file))
		if err != nil {
			require.ErrorIs(t, err, latency.ErrFormat)
			return
		}
		requireWithin(t, read.Sites.Micros(0, 0, nil))
	})
}
