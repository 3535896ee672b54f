package sim

import (
	"github.com/canvass-grid/canvass/internal/values"
	"github.com/canvass-grid/canvass/protocol"
)

// The first steps of a run, and later one of so many, are checked for what their encodings forget.
const (
	firstEncoded = 32
	laterEncoded = 64
)

// requireEncodable panics unless the results of a step survive their encoding: a daemon sends and
// stores the bytes, not the values. Package model checks every value that it meets. Here a sample
// has to do, since runs are long and nearly all states are new.
func (s *Simulation[S, M, C]) requireEncodable(after *S, out *protocol.Output[M]) {
	if n := s.stats.Steps; n > firstEncoded && n%laterEncoded != 0 {
		return
	}
	core := s.cfg.Core
	states := values.Codec[S]{Kind: "State", Encode: core.AppendState, Decode: core.DecodeState}
	messages := values.Codec[M]{Kind: "Message", Encode: core.AppendMessage, Decode: core.DecodeMessage}
	err := states.RoundTrip(*after)
	for i := 0; err == nil && i < len(out.Send); i++ {
		err = messages.RoundTrip(out.Send[i].Message)
	}
	if err != nil {
		panic(err)
	}
}
