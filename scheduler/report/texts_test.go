package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/report"
)

func starts(t *testing.T, name, text string) ([]report.Started, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return report.ReadStarts(path)
}

// Schedules that other systems have moved mean what they meant, or are named.
func TestSchedulesAsOtherSystemsLeaveThem(t *testing.T) {
	const text = "number,start_micros\n7,1024\n8,\n"
	want := []report.Started{{Number: 7, Micros: 1024}}
	for _, same := range []string{text, "\xef\xbb\xbf" + text, strings.ReplaceAll(text, "\n", "\r\n")} {
		all, err := starts(t, "a.csv", same)
		require.NoError(t, err)
		assert.Equal(t, want, all)
	}
	for bad, why := range map[string]string{
		"\xff\xfen\x00u\x00":                 "the text is in UTF-16",
		strings.ReplaceAll(text, "\n", "\r"): "a carriage return (CR) stands without a line feed (LF)",
		"number,start_micros\n7,1,024\n":     "wrong number of fields",
		"number,start_micros\n7,\"1,024\"\n": `start_micros: "1,024" is not a whole number; write digits alone, as in 1024`,
	} {
		_, err := starts(t, "a.csv", bad)
		assert.ErrorContains(t, err, why)
	}
}

// FuzzReadStarts finds no schedule that makes the reader panic.
func FuzzReadStarts(f *testing.F) {
	f.Add("number,start_micros\n7,1024\n")
	f.Add("\xef\xbb\xbfstart_seconds,number\r\n1152921504606,7\r\n")
	f.Add("number,start_seconds\n7,\"1,024\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := starts(t, "a.csv", text)
		if err == nil {
			report.CompareStarts(all, all, 10)
		}
	})
}
