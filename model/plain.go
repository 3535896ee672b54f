package model

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// Plain makes a core of a step function whose states, messages and commands are plain values:
// booleans, integers, strings, and slices, arrays and structs of plain values. All fields must be
// exported. Encodings follow from the types. Texts are those of %+v in package fmt, so String
// methods are used.
//
// Plain is for examples and first drafts. It costs little in a check, which encodes each value
// once. A core for production needs encodings of its own, with its own limits.
//
// Plain panics if a type is not plain, and names the type. A step that makes a slice or a string of
// more than [protocol.MaxItems] items panics, too. Nil and empty slices have the same encoding, so
// a step must not tell them apart.
func Plain[S, M, C any](step func(S, protocol.Input[M, C]) (S, protocol.Output[M])) protocol.Core[S, M, C] {
	for _, err := range []error{mustBePlain[S](), mustBePlain[M](), mustBePlain[C]()} {
		if err != nil {
			panic(err)
		}
	}
	return plain[S, M, C]{step}
}

// plain is a core whose encodings follow from its types.
type plain[S, M, C any] struct {
	step func(S, protocol.Input[M, C]) (S, protocol.Output[M])
}

func (p plain[S, M, C]) Step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	return p.step(s, in)
}

func (plain[S, M, C]) AppendState(dst []byte, s S) []byte   { return appendPlain(dst, s) }
func (plain[S, M, C]) AppendMessage(dst []byte, m M) []byte { return appendPlain(dst, m) }
func (plain[S, M, C]) AppendCommand(dst []byte, c C) []byte { return appendPlain(dst, c) }

func (plain[S, M, C]) DecodeState(src []byte) (S, error)   { return decodePlain[S](src) }
func (plain[S, M, C]) DecodeMessage(src []byte) (M, error) { return decodePlain[M](src) }
func (plain[S, M, C]) DecodeCommand(src []byte) (C, error) { return decodePlain[C](src) }

func (plain[S, M, C]) StateText(s S) string   { return fmt.Sprintf("%+v", s) }
func (plain[S, M, C]) MessageText(m M) string { return fmt.Sprintf("%+v", m) }
func (plain[S, M, C]) CommandText(c C) string { return fmt.Sprintf("%+v", c) }

func (plain[S, M, C]) TimerText(t protocol.Timer) string {
	if t.Peer.IsNobody() {
		return fmt.Sprintf("timer %d", t.Kind)
	}
	return fmt.Sprintf("timer %d %v", t.Kind, t.Peer)
}
