package drivetest

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/protocol"
)

// Pure is a core that checks in each step that it is a pure function: it takes the step three
// times, overwrites what the second one returned, and compares.
type Pure[S, M, C any] struct {
	protocol.Core[S, M, C]
	t    require.TestingT
	wipe func(S)
	kept []kept
}

// kept is a value that a step returned, with its encoding at that time.
type kept struct {
	encode func() []byte
	then   []byte
}

// NewPure returns a core that checks its steps. Wipe overwrites the lists of a state that Step
// changes in place, and the memory behind their ends, with [Wipe]. The other lists are shared on
// purpose and never changed; RequireUnchanged shows that.
func NewPure[S, M, C any](t require.TestingT, core protocol.Core[S, M, C], wipe func(S)) *Pure[S, M, C] {
	return &Pure[S, M, C]{Core: core, t: t, wipe: wipe}
}

// Wipe overwrites a list and the memory behind its end.
func Wipe[T any](list []T) { clear(list[:cap(list)]) }

// Step takes a step and checks it.
func (p *Pure[S, M, C]) Step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	before, config := p.AppendState(nil, s), p.config()
	s1, o1 := p.Core.Step(s, in)
	state, out := p.AppendState(nil, s1), p.appendOutput(o1)
	p.keep(state, func() []byte { return p.AppendState(nil, s1) })
	p.keep(out, func() []byte { return p.appendOutput(o1) })

	s2, o2 := p.Core.Step(s, in)
	require.Equal(p.t, s1, s2, "equal inputs, different states")
	require.Equal(p.t, o1, o2, "equal inputs, different outputs")
	require.Equal(p.t, state, p.AppendState(nil, s2), "equal inputs, different states")
	require.Equal(p.t, out, p.appendOutput(o2), "equal inputs, different outputs")
	p.wipe(s2)
	wipeOutput(o2)
	require.Equal(p.t, before, p.AppendState(nil, s), "the new state shares a list with the old one")
	require.Equal(p.t, state, p.AppendState(nil, s1), "two new states share a list")
	require.Equal(p.t, out, p.appendOutput(o1), "two outputs share a list")

	copied, err := p.DecodeState(before)
	require.NoError(p.t, err, "%s", p.StateText(s))
	s3, o3 := p.Core.Step(copied, in)
	require.Equal(p.t, state, p.AppendState(nil, s3), "a state that was decoded behaves differently")
	require.Equal(p.t, out, p.appendOutput(o3), "a state that was decoded behaves differently")
	require.Equal(p.t, config, p.config(), "the configuration has changed")
	p.requireEncodable(s1, o1)
	return s1, o1
}

// RequireUnchanged demands that nothing has changed that a step returned.
func (p *Pure[S, M, C]) RequireUnchanged() {
	for _, k := range p.kept {
		require.True(p.t, bytes.Equal(k.then, k.encode()), "a value changed after it was returned")
	}
}

func (p *Pure[S, M, C]) keep(then []byte, encode func() []byte) {
	p.kept = append(p.kept, kept{encode, then})
}

// config copies the core's configuration.
func (p *Pure[S, M, C]) config() any { return reflect.Indirect(reflect.ValueOf(p.Core)).Interface() }

// requireEncodable demands that the result of a step equals its decoded encoding.
func (p *Pure[S, M, C]) requireEncodable(s S, out protocol.Output[M]) {
	states := blame.Codec[S]{Kind: "State", Encode: p.AppendState, Decode: p.DecodeState}
	require.NoError(p.t, states.RoundTrip(s))
	messages := blame.Codec[M]{Kind: "Message", Encode: p.AppendMessage, Decode: p.DecodeMessage}
	for _, e := range out.Send {
		require.NoError(p.t, messages.RoundTrip(e.Message))
	}
}

// appendOutput encodes all of an output.
func (p *Pure[S, M, C]) appendOutput(o protocol.Output[M]) []byte {
	dst := protocol.AppendUint(nil, uint64(len(o.Persist)))
	dst = append(protocol.AppendBool(dst, o.Persist == nil), o.Persist...)
	for _, e := range o.Send {
		dst = protocol.AppendNodeID(protocol.AppendNodeID(append(dst, 's'), e.From), e.To)
		dst = p.AppendMessage(dst, e.Message)
	}
	return fmt.Appendf(dst, "%+v %+v %+v %d %+v", o.Cancel, o.Set, o.Measure, o.Choose, o.Events)
}

func wipeOutput[M any](o protocol.Output[M]) {
	Wipe(o.Persist)
	Wipe(o.Send)
	Wipe(o.Cancel)
	Wipe(o.Set)
	Wipe(o.Measure)
	Wipe(o.Events)
}
