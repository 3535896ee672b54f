package swf_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// FuzzRead compares the reader with a second, slow reader that calculates with fractions: both
// refuse a log, or both read the same jobs. The result is written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(small()[:2000])) // the fuzzer takes minutes to make a long log shorter
	f.Add([]byte("; MaxProcs: 64\n" + log("7 1.5 2.25 3.000001 4 5 6.1 1", "8 -1 0 4 -1 5 -1 -4") + ";\n"))
	f.Add([]byte(log("0000000000000000000000000000000007 1152921504606.846976 0 0 2147483647 5 -1.0 1")))
	f.Add([]byte(log("1 1152921504606.846977 0 0 1 5 -1.0 1")))
	f.Add([]byte("1 0 0 4\v2\f-1 -1 2 9 -1 1 11 12 13 14 15 -1 -0\r\n"))
	f.Add([]byte("\x1f\x8b"))
	f.Add([]byte("\xef\xbb\xbf; MaxProcs : 1,024\r\n" + log("1 0.0000000 0 4 2 2 9 1", "1 -1 0 4 2 2 9 2")))
	f.Add([]byte("MaxProcs: 64\n1 2 3\n" + log("1 0.0000001 0 4 2 2 9 1")))
	f.Add([]byte("\xff\xfe1\x00"))
	var zip bytes.Buffer
	z := gzip.NewWriter(&zip)
	_, _ = io.WriteString(z, log("1 0 0 4 2 2 9 1"))
	_ = z.Close()
	f.Add(zip.Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		_, _, _ = swf.Read(bytes.NewReader(file), "log", swf.Options{SkipBad: true, Unit: "node", Round: true})
		got, header, err := swf.Read(bytes.NewReader(file), "log", swf.Verbatim())
		if err == nil {
			checkSecondReading(t, got)
		}
		text, unreadable := fileio.TextOf(file, 1<<22)
		if unreadable != nil {
			require.Error(t, err)
			return
		}
		for _, limit := range []string{"header", " states a ", "bytes"} { // that the slow reader does not have
			if err != nil && strings.Contains(err.Error(), limit) {
				return
			}
		}
		want, ok := slowRead(string(text))
		require.Equal(t, ok, err == nil, "%v %v", err, header)
		if ok {
			assert.Equal(t, want, got.Jobs)
		}
	})
}

func checkSecondReading(t *testing.T, w *scheduler.Workload) {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, swf.Write(&file, w))
	again, _, err := swf.Read(&file, "log", swf.Verbatim())
	require.NoError(t, err)
	assert.Equal(t, w.Jobs, again.Jobs)
}

var (
	blank    = regexp.MustCompile(`[ \t\v\f\r]+`)
	integer  = regexp.MustCompile(`^-?[0-9]+$`)
	fraction = regexp.MustCompile(`^-?[0-9]+(\.[0-9]{1,6}|\.[0-9]{6}0+)?$`)
)

// slowRead reads a log with Verbatim options.
func slowRead(text string) (jobs []scheduler.Job, ok bool) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.Trim(line, " \t\v\f\r")
		if line == "" || line[0] == ';' {
			continue
		}
		texts := blank.Split(line, -1)
		var f [18]int64
		for i, s := range texts {
			if i >= len(f) {
				return nil, false
			}
			if f[i], ok = slowField(i+1, s); !ok {
				return nil, false
			}
		}
		if len(texts) != len(f) {
			return nil, false
		}
		size := f[7]
		if size <= 0 {
			size = f[4]
		}
		if f[1] < 0 || size <= 0 {
			continue
		}
		if f[8] == 0 {
			f[8] = -1
		}
		jobs = append(jobs, scheduler.Job{
			Number: f[0], SubmitMicros: f[1], WaitMicros: f[2], RunMicros: max(0, f[3]), RequestMicros: f[8],
			EstimateMicros: -1, Nodes: int(size), Status: f[10], User: f[11], Group: f[12], Executable: f[13],
			Queue: f[14], Partition: f[15],
		})
	}
	slices.SortStableFunc(jobs, func(a, b scheduler.Job) int {
		return cmp.Compare(a.SubmitMicros, b.SubmitMicros)
	})
	return jobs, len(jobs) > 0
}

// slowField returns field n, from 1, in its unit.
func slowField(n int, text string) (int64, bool) {
	unit, form, most := int64(1), integer, int64(1<<60)
	switch n {
	case 6, 7, 10, 17, 18:
		return -1, true // not used
	case 2, 3, 4, 9:
		unit, form = 1_000_000, fraction
	case 5, 8:
		most = 1<<31 - 1
	}
	if !form.MatchString(text) {
		return 0, false
	}
	value, _ := new(big.Rat).SetString(text)
	value.Mul(value, big.NewRat(unit, 1))
	if !value.IsInt() || value.Num().CmpAbs(big.NewInt(most)) > 0 {
		return 0, false
	}
	v := value.Num().Int64()
	switch {
	case v >= 0 || n == 11:
		return v, true
	case v == -unit:
		return -1, true
	}
	return 0, false
}
