package transport_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
)

// recode demands that a decoder either refuses its input or accepts what its encoder produces.
func recode(f *testing.F, format string) {
	sample := transport.Samples()[format]
	f.Add(sample)
	f.Add(sample[:len(sample)/2])
	f.Add([]byte("CNVS\x02\x00\x00\x00\x01\x01"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if got := transport.Recode(format, src); got != nil {
			require.Equal(t, src, got)
		}
	})
}

func FuzzHello(f *testing.F)     { recode(f, "hello") }
func FuzzFrame(f *testing.F)     { recode(f, "frame") }
func FuzzCards(f *testing.F)     { recode(f, "cards") }
func FuzzRefusal(f *testing.F)   { recode(f, "refusal") }
func FuzzJoin(f *testing.F)      { recode(f, "join") }
func FuzzAdmission(f *testing.F) { recode(f, "admission") }
func FuzzRenewal(f *testing.F)   { recode(f, "renewal") }

// TestSamples demands that each format accepts its sample: otherwise a fuzzer tests nothing.
func TestSamples(t *testing.T) {
	for format, sample := range transport.Samples() {
		require.Equal(t, sample, transport.Recode(format, sample), format)
		require.Nil(t, transport.Recode(format, sample[:len(sample)-1]), format)
	}
}
