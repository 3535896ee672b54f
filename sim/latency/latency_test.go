package latency_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim/latency"
)

const (
	matrix = "0\t10.5\t3\n10.5\t0\t0.0014\n4\t7.25\t0.002\n"
	pairs  = "src,dst,dst_label,km,avg_ms\nOslo,Rome,\"Rome, Italy\",2000,50.0\nRome,Oslo,x,2000,52\nOslo,Pisa,x,1,8\n" +
		"Pisa,Rome,x,1,3\nFaro,Oslo,x,1,90\n"
	countries   = "cty1,cty2,rtt_cnt,rtt_avg\nAD,AT,3,37.53599421183268\nAT,AT,1,2.25\n"
	coordinates = "# two sites\n0 0.0 0.0 h 0.5\n1 -3.0 4.0 h 1.0\n"
)

func TestReadMatrix(t *testing.T) {
	m, err := latency.ReadMatrix(strings.NewReader(matrix))
	require.NoError(t, err)
	assert.Equal(t, 3, m.Sites())
	for pair, want := range map[[2]protocol.Address]int64{
		{0, 1}: 5250, {1, 0}: 5250, {0, 2}: 1500, {2, 0}: 2000, {1, 2}: 1, {0, 0}: 1, {4, 5}: 1, {5, 4}: 3625,
	} {
		assert.Equal(t, want, m.Micros(pair[0], pair[1], nil), pair)
	}
}

func TestReadPairs(t *testing.T) {
	m, err := latency.ReadPairs(strings.NewReader(pairs))
	require.NoError(t, err)
	assert.Equal(t, []string{"Oslo", "Rome", "Pisa"}, m.Names)
	assert.Equal(t, []string{"Faro"}, m.Dropped, "nothing is known of the way to Rome")
	for pair, want := range map[[2]protocol.Address]int64{
		{0, 1}: 25000, {1, 0}: 26000, {2, 0}: 4000, {1, 2}: 1500, {1, 1}: 1,
	} {
		assert.Equal(t, want, m.Micros(pair[0], pair[1], nil), pair)
	}
	m, err = latency.ReadPairs(strings.NewReader(countries))
	require.NoError(t, err)
	assert.Equal(t, int64(18768), m.Micros(1, 0, nil))
	assert.Equal(t, int64(1125), m.Micros(1, 1, nil))
}

func TestReadCoordinates(t *testing.T) {
	c, err := latency.ReadCoordinates(strings.NewReader(coordinates))
	require.NoError(t, err)
	assert.Equal(t, 2, c.Sites())
	assert.Equal(t, int64(3250), c.Micros(0, 1, nil), "half of 5 and 1.5 milliseconds")
	assert.Equal(t, int64(3250), c.Micros(3, 2, nil))
	assert.Equal(t, int64(500), c.Micros(0, 2, nil), "two nodes of one site")
}

func TestErrorsNameTheLine(t *testing.T) {
	readers := map[string]func(string) error{
		"matrix": func(s string) error { _, err := latency.ReadMatrix(strings.NewReader(s)); return err },
		"pairs":  func(s string) error { _, err := latency.ReadPairs(strings.NewReader(s)); return err },
		"coords": func(s string) error { _, err := latency.ReadCoordinates(strings.NewReader(s)); return err },
	}
	long := strings.Repeat("1 ", 1<<20)
	tests := []struct{ reader, text, want string }{
		{"matrix", "", "line 0"},
		{"matrix", "1 2\n3\n", "line 2: has 1 columns"},
		{"matrix", "1 2\n3 4\n5 6\n", "line 3: is one too many"},
		{"matrix", "1 2\n", "line 1: is the last"},
		{"matrix", "1 2\n\n", "line 2: is empty"},
		{"matrix", "1 2\n3 x\n", `line 2: column 2: "x" is no time`},
		{"matrix", "-1\n", "line 1: column 1"},
		{"matrix", "1e3\n", "line 1: column 1"},
		{"matrix", "1000001\n", "line 1: column 1"},
		{"matrix", ".5\n", "line 1: column 1"},
		{"matrix", "5.\n", "line 1: column 1"},
		{"matrix", "0.00x\n", "line 1: column 1"},
		{"matrix", "NaN\n", "line 1: column 1"},
		{"matrix", long, "line 1: is longer"},
		{"matrix", long[:10000] + "\n", "line 1: 5000 columns"},
		{"pairs", "", "line 1"},
		{"pairs", "a,b,c\n", "line 1: the header has neither"},
		{"pairs", "src,dst,avg_ms\n", "no pair"},
		{"pairs", "src,dst,avg_ms\na,b,1\na,b,2\n", "line 3: a to b is there twice"},
		{"pairs", "src,dst,avg_ms\na,b\n", "line 2"},
		{"pairs", "src,dst,avg_ms\na,b,soon\n", `line 2: "soon"`},
		{"pairs", "src,dst,avg_ms\n,b,1\n", "line 2: a site has no name"},
		{"pairs", "src,dst,avg_ms\na,\"b,1\n", "line"},
		{"coords", "# nothing\n", "no site"},
		{"coords", "0 1 2 3\n", "line 1: is not"},
		{"coords", "0 1 2 h -3\n", `line 1: "-3"`},
		{"coords", "# x\n1 1 2 h 3\n", `line 2: is of site "1", where 0`},
		{"coords", "0 1 2 h 3\n0 1 2 h 3\n", "line 2: is of site"},
	}
	for _, test := range tests {
		err := readers[test.reader](test.text)
		require.ErrorIs(t, err, latency.ErrFormat, test.text[:min(len(test.text), 40)])
		assert.ErrorContains(t, err, test.want)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{matrix, pairs, countries, coordinates} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := latency.ReadMatrix(strings.NewReader(text)); err == nil {
			requireWithin(t, m.Micros(0, protocol.Address(m.Sites()-1), nil))
		}
		if m, err := latency.ReadPairs(strings.NewReader(text)); err == nil {
			requireWithin(t, m.Micros(0, protocol.Address(m.Sites()-1), nil))
			require.Len(t, m.Names, m.Sites())
		}
		if c, err := latency.ReadCoordinates(strings.NewReader(text)); err == nil {
			requireWithin(t, c.Micros(0, protocol.Address(c.Sites()-1), nil))
		}
	})
}

func requireWithin(t *testing.T, micros int64) {
	require.Positive(t, micros)
	require.Less(t, micros, int64(5_000_000_000))
}

func ExampleReadMatrix() {
	m, err := latency.ReadMatrix(strings.NewReader("0 30\n40 0\n"))
	fmt.Println(m.Micros(0, 1, nil), m.Micros(1, 0, nil), err)
	_, err = latency.ReadMatrix(strings.NewReader("0 30\n40\n"))
	fmt.Println(err)
	// Output:
	// 15000 20000 <nil>
	// not latencies: line 2: has 1 columns, the first line has 2
}
