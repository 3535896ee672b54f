package model

import (
	"reflect"

	"github.com/canvass-grid/canvass/internal/values"
	"github.com/canvass-grid/canvass/protocol"
)

// Every state, message and command that a check meets must survive its encoding: the tables take
// values with the same bytes for one. So whatever gets an id is decoded once and compared, and what
// has the bytes of a known value is compared with that. A field that the encoding forgets ends the
// check as soon as it is not zero. Some encodings are also damaged, since a decoder that accepts
// more than encodings gives one value to several sequences of bytes.

func (c *compiled[S, M, C]) states() values.Codec[S] {
	return values.Codec[S]{Kind: "State", Encode: c.Core.AppendState, Decode: c.Core.DecodeState}
}

func (c *compiled[S, M, C]) messages() values.Codec[M] {
	return values.Codec[M]{Kind: "Message", Encode: c.Core.AppendMessage, Decode: c.Core.DecodeMessage}
}

func (c *compiled[S, M, C]) commands() values.Codec[C] {
	return values.Codec[C]{Kind: "Command", Encode: c.Core.AppendCommand, Decode: c.Core.DecodeCommand}
}

// require ends the check if there is an error.
func (c *compiled[S, M, C]) require(err error) {
	if err != nil {
		c.broken("%v", err)
	}
}

// requireState ends the check unless a state survives its encoding.
func (c *compiled[S, M, C]) requireState(s S) {
	encoded := c.Core.AppendState(nil, s)
	requireEncoded(c, c.states(), s, encoded, kind{of: reflect.TypeFor[S]()})
}

// requireMessage ends the check unless a message survives its encoding.
func (c *compiled[S, M, C]) requireMessage(m M) {
	encoded := c.Core.AppendMessage(nil, m)
	k := kind{of: reflect.TypeOf(m)}
	copy(k.tags[:], encoded)
	requireEncoded(c, c.messages(), m, encoded, k)
}

// requireCommand ends the check unless a command survives its encoding.
func (c *compiled[S, M, C]) requireCommand(command C) {
	encoded := c.Core.AppendCommand(nil, command)
	k := kind{of: reflect.TypeFor[C]()}
	copy(k.tags[:], encoded)
	requireEncoded(c, c.commands(), command, encoded, k)
}

// requireEncoded ends the check unless a value survives its encoding, and unless the decoder
// refuses the damages of the encoding, if it is one of those that are damaged.
func requireEncoded[S, M, C, T any](c *compiled[S, M, C], codec values.Codec[T], value T, encoded []byte, k kind) {
	c.require(codec.RoundTrip(value))
	if c.sampled.wants(k, len(encoded)) {
		c.require(strict[T]{codec, c.turn()}.damage(encoded))
	}
}

// requireCommands ends the check unless every command of the description survives its encoding.
func (c *compiled[S, M, C]) requireCommands() {
	for _, node := range c.Nodes {
		for _, life := range node.Commands {
			for _, command := range life {
				c.requireCommand(command)
			}
		}
	}
	for _, o := range c.Prelude {
		c.requireCommand(o.Command)
	}
}

// requireStrict ends the check if a decoder accepts a made-up encoding that is none.
func (c *compiled[S, M, C]) requireStrict() {
	c.require(strict[S]{c.states(), c.turn()}.invent())
	c.require(strict[M]{c.messages(), c.turn()}.invent())
	c.require(strict[C]{c.commands(), c.turn()}.invent())
}

// turn says which share of the damages this model tries.
func (c *compiled[S, M, C]) turn() int { return int(protocol.Hash([]byte(c.Info.Name)) % shares) }
