package lab_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// utf16 is ASCII text as some shells redirect it.
func utf16(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for i := range len(text) {
		b.WriteString(text[i:i+1] + "\x00")
	}
	return b.String()
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

// Rows that another system has moved are read, or named; a file that is opened to add rows is never
// damaged.
func TestRowsAsOtherSystemsLeaveThem(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(folderOf(t, "abc", 1), lab.RowsFile))
	require.NoError(t, err)
	plain := string(text)
	for _, c := range []struct{ name, file, read, opened string }{
		{"plain", plain, "", ""},
		{"a byte order mark", "\xef\xbb\xbf" + plain, "", ""},
		{"CR LF", strings.ReplaceAll(plain, "\n", "\r\n"), "", ""},
		{"UTF-16", utf16(plain), "the text is in UTF-16", "the text is in UTF-16"},
		{"packed", packed(t, plain), "", "the file is packed, so no rows can be added; unpack it"},
		{"packed, zeros after it", packed(t, plain) + "\x00\x00", "", "the file is packed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, lab.RowsFile)
			require.NoError(t, os.WriteFile(path, []byte(c.file), 0o600))
			rows, err := lab.ReadRows(folder)
			if c.read == "" {
				require.NoError(t, err)
				assert.Len(t, rows, 1)
			} else {
				require.ErrorContains(t, err, c.read)
			}
			opened, err := lab.OpenRows(folder)
			if c.opened == "" {
				require.NoError(t, err)
				assert.Len(t, opened.All(), 1)
				require.NoError(t, opened.Close())
			} else {
				require.ErrorContains(t, err, c.opened)
			}
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, c.file, string(after))
		})
	}
}

// FuzzDecodeRows finds no text that makes the reader panic, and writes what it has read.
func FuzzDecodeRows(f *testing.F) {
	f.Add([]byte(`{"schema":1,"settings":{"workload":"swf:x"},"changes":null,"summary":{"by_size":null}}` + "\r\n"))
	f.Add([]byte("\xef\xbb\xbf" + `{"schema":1,"share":{"campaign":"x","run":1,"runs":3,"shard":2,"shards":2}}`))
	f.Add([]byte(`{"schema":1,"summary":{"excluded_jobs":{"x":3}},"header":[{"name":"MaxProcs","value":3}]}`))
	f.Add([]byte(utf16("{}")))
	f.Fuzz(func(t *testing.T, file []byte) {
		rows, err := lab.DecodeRows("rows", bytes.NewReader(file))
		if err != nil {
			return
		}
		for _, row := range rows {
			text, err := json.Marshal(row)
			require.NoError(t, err)
			assert.NotContains(t, string(text), `"changes":null`)
			again, err := lab.DecodeRows("again", bytes.NewReader(text))
			require.NoError(t, err)
			assert.Equal(t, row.Key(), again[0].Key())
		}
	})
}
