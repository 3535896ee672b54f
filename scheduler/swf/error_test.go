package swf_test

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

	"github.com/canvass-grid/canvass/scheduler/swf"
)

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

// zippedTo is text as gzip leaves it if the process dies: no end.
func zippedTo(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	require.NoError(t, err)
	require.NoError(t, z.Flush())
	return b.String()
}

// The texts of errors are for people: each of these was read by one.
func TestErrors(t *testing.T) {
	good := log("1 0 0 4 2 2 9 1")
	damaged := []byte(zipped(t, good))
	damaged[len(damaged)-5]++ // in the checksum or the length
	whole := zipped(t, strings.Repeat(good, 1000)+small())
	const skip = "; --skip-bad counts and skips such lines"
	const give = "; give a log in the Standard Workload Format, plain or compressed with gzip"
	for _, c := range []struct{ name, log, want string }{
		{"letters", good + log("1 0 0 4 2 x 9 1"), `log:2: field 8 (requested processors): "x" is not a whole number` + skip},
		{"decimals", log("1 0 0 4 2 2.5 9 1"), `log:1: field 8 (requested processors): "2.5" is not a whole number` + skip},
		{"plus", log("1 0 0 4 2 +2 9 1"), `log:1: field 8 (requested processors): "+2" is not a whole number` + skip},
		{"negative size", log("1 0 0 4 2 -2 9 1"),
			`log:1: field 8 (requested processors): "-2" is not at least 0, or -1 for unknown` + skip},
		{"size", log("1 0 0 4 2 2147483648 9 1"),
			`log:1: field 8 (requested processors): "2147483648" is not at most 2147483647` + skip},
		{"NaN", "; Version: 2.2\n\n" + log("1 0 0 NaN 2 2 9 1"),
			`log:3: field 4 (run time): "NaN" is not a number with at most 6 decimals` + skip},
		{"exponent", log("1 1e999 0 4 2 2 9 1"),
			`log:1: field 2 (submit time): "1e999" is not a number with at most 6 decimals` + skip},
		{"seven decimals", log("1 0 0 4 2 2 9.0000001 1"),
			`log:1: field 9 (requested time): "9.0000001" is not a number with at most 6 decimals; ` +
				"--round rounds times to whole microseconds"},
		{"seven decimals of another kind", log("1 0 0 4 2 2 9.000000x 1"),
			`log:1: field 9 (requested time): "9.000000x" is not a number with at most 6 decimals` + skip},
		{"no digit after the point", log("1 0 0 4. 2 2 9 1"),
			`log:1: field 4 (run time): "4." is not a number with at most 6 decimals` + skip},
		{"no digit before the point", log("1 0 .4 4 2 2 9 1"),
			`log:1: field 3 (wait time): ".4" is not a number with at most 6 decimals` + skip},
		{"two points", log("1 0 0 1.2.3 2 2 9 1"),
			`log:1: field 4 (run time): "1.2.3" is not a number with at most 6 decimals` + skip},
		{"only a sign", log("- 0 0 4 2 2 9 1"), `log:1: field 1 (job number): "-" is not a whole number` + skip},
		{"negative time", log("1 -0.5 0 4 2 2 9 1"),
			`log:1: field 2 (submit time): "-0.5" is not at least 0, or -1 for unknown` + skip},
		{"late time", log("1 1152921504607 0 4 2 2 9 1"),
			`log:1: field 2 (submit time): "1152921504607" is not at most 1152921504606` + skip},
		{"long time", log("1 0 0 " + strings.Repeat("9", 50) + " 2 2 9 1"),
			`log:1: field 4 (run time): "` + strings.Repeat("9", 40) + `…" is not at most 1152921504606` + skip},
		{"status", log("1 0 0 4 2 2 9 ok"), `log:1: field 11 (status): "ok" is not a whole number` + skip},
		{"binary", "1 \x00\xff", "log:1: zero bytes, as damaged disks and padding leave them, expected text" + skip},
		{"padding", good + "\x00\x00\x00",
			"log:2: zero bytes, as damaged disks and padding leave them, expected text" + skip},
		{"UTF-16", "\xff\xfe;\x00 \x00", "log: the text is in UTF-16, expected UTF-8 or ASCII; " +
			"convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW"},
		{"CR", good + "; MaxProcs: 64\r" + good,
			"log:2: a carriage return (CR) stands without a line feed (LF), as in files of old Macintoshes, " +
				`expected lines that end with LF or CR LF; convert the file: tr '\r' '\n' < FILE > NEW`},
		{"no semicolon", "MaxProcs: 64\n" + good,
			`log:1: the line "MaxProcs: 64" is not a job but a header without its semicolon, expected ; MaxProcs: …; ` +
				"begin the line with a semicolon"},
		{"no colon", "; Version: 2.2\n; MaxProcs = 64\n" + good,
			`log:2: the comment "MaxProcs = 64" states a MaxProcs without a colon, expected ; MaxProcs: 1024; ` +
				"correct the header"},
		{"a blank in a key", "; Max Procs: 64\n" + good,
			`log:1: the comment "Max Procs: 64" writes MaxProcs as "Max Procs", expected ; MaxProcs: 1024; ` +
				"correct the header"},
		{"a second header", "; MaxProcs: 64\n" + good + "; MaxProcs: 128\n" + good,
			"log:3: the header states a MaxProcs of 64 and one of 128, expected one; correct the header"},
		{"17 fields", good + strings.Repeat(" 1", 17) + "\n", "log:2: 17 fields, expected 18" + skip},
		{"19 fields", good + strings.Repeat("1\t", 19), "log:2: 19 fields, expected 18" + skip},
		{"1 field", "1", "log:1: 1 field, expected 18" + skip},
		{"truncated", whole[:len(whole)-4],
			"log:1315: the compressed data ends early, expected a complete gzip file (unexpected EOF); fetch the file again"},
		{"truncated in a line", zippedTo(t, good+"2 0 0"),
			"log:2: the compressed data ends early, expected a complete gzip file (unexpected EOF); fetch the file again"},
		{"only gzip's first bytes", whole[:2],
			"log: the compressed data ends early, expected a complete gzip file (unexpected EOF); fetch the file again"},
		{"checksum", string(damaged),
			"log:1: the compressed data is damaged, expected a gzip file (gzip: invalid checksum); fetch the file again"},
		{"not gzip after all", "\x1f\x8b" + good,
			"log: the compressed data is damaged, expected a gzip file (gzip: invalid header); fetch the file again"},
		{"text after gzip", whole + good,
			"log:1315: other data follow the compressed data, expected the end of the file, or zeros; " +
				"fetch the file again, or keep the compressed part: gzip -dcq FILE > NEW"},
		{"empty", "", "log: the file is empty, expected lines of 18 fields" + give},
		{"gzip of nothing", zipped(t, ""), "log: the file is empty, expected lines of 18 fields" + give},
		{"comments", "; Version: 2.2\n\n;\n", "log: there are only comments and no jobs, expected lines of 18 fields" + give},
		{"long line", good + strings.Repeat(" 1", 40_000),
			"log:2: a line of more than 65536 bytes, expected lines of 18 fields" + give},
		{"long header", strings.Repeat("; Note: "+strings.Repeat("x", 1000)+"\n", 1100) + good,
			"log:1042: comments of more than 1048576 bytes, expected lines of 18 fields" + give},
		{"large machine", "; MaxProcs: 2147483648\n" + good,
			"log:1: the header states a MaxProcs of 2147483648, expected at most 2147483647; correct the header"},
		{"grouped wrong", "; Version: 2.2\n; MaxProcs: 1,02\n" + good,
			`log:2: the header states a MaxProcs of "1,02", expected a whole number such as 1024 or 1,024, or N/A; ` +
				"correct the header"},
		{"two machines", "; MaxProcs: 64\n; Note: it grew\n; MaxProcs: 128\n" + good,
			"log:3: the header states a MaxProcs of 64 and one of 128, expected one; correct the header"},
		{"no job left", log("1 0 0 0 2 2 9 1", "2 0 0 4 -1 -1 9 1"),
			"log: no job of 2 is left (dropped: no run time (zero or unknown): 1, dropped: no processors: 1), " +
				"expected at least one; see --zero-run, --no-processors and --status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, _, err := swf.Read(strings.NewReader(c.log), "log", swf.Options{})
			require.EqualError(t, err, c.want)
			assert.Nil(t, w)
			var fault *swf.Error
			assert.ErrorAs(t, err, &fault)
		})
	}
}

func TestErrorsOfOptions(t *testing.T) {
	good := log("1 0 0 4 2 2 9 1")
	for _, c := range []struct {
		options   swf.Options
		log, want string
	}{
		{swf.Options{ZeroRun: "dorp"}, good,
			`read a log with zero-run "dorp": there is no such choice; use one of drop, one-second, keep`},
		{swf.Options{NoProcessors: "two"}, good,
			`read a log with no-processors "two": there is no such choice; use one of drop, one`},
		{swf.Options{Unit: "core"}, good, `read a log with unit "core": there is no such choice; use one of cpu, node`},
		{swf.Options{ProcessorsPerNode: -1}, good,
			"read a log with -1 processors per node: use 1 to 2147483647, or 0 for the value of the header"},
		{swf.Options{Unit: "node"}, "; MaxNodes: 57\n; MaxProcs: 178\n" + good,
			"log: the header states 178 processors and 57 nodes, expected a whole number of processors per node; " +
				"say how many processors a node has, or use --unit cpu"},
		{swf.Options{Unit: "node"}, good, "log: the header states 0 processors and 0 nodes, expected a whole number of " +
			"processors per node; say how many processors a node has, or use --unit cpu"},
		{swf.Options{SkipBad: true}, "1 2 3\nx\n", "log: all lines that are not comments are malformed, expected lines of " +
			"18 fields; give a log in the Standard Workload Format, plain or compressed with gzip"},
	} {
		_, _, err := swf.Read(strings.NewReader(c.log), "log", c.options)
		assert.EqualError(t, err, c.want)
	}
}

func TestErrorsOfFiles(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.swf")
	_, _, err := swf.ReadFile(missing, swf.Options{})
	require.ErrorIs(t, err, os.ErrNotExist)

	path := filepath.Join(t.TempDir(), "broken.swf")
	require.NoError(t, os.WriteFile(path, []byte("1 2 3\n"), 0o644))
	_, _, err = swf.ReadFile(path, swf.Options{})
	assert.EqualError(t, err, path+":1: 3 fields, expected 18; --skip-bad counts and skips such lines")

	_, _, err = swf.Read(iotest.ErrReader(errors.New("the disk is gone")), "log", swf.Options{})
	assert.EqualError(t, err, "read the log log, line 0: the disk is gone")
}
