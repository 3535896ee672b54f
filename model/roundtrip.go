package model

import "github.com/canvass-grid/canvass/internal/values"

// Every state, message and command that a check meets must survive its encoding: the tables take
// values with the same bytes for one. So whatever gets an id is decoded once and compared, and what
// has the bytes of a known value is compared with that. A field that the encoding forgets ends the
// check as soon as it is not zero.

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

// requireCommands ends the check unless every command of the description survives its encoding.
func (c *compiled[S, M, C]) requireCommands() {
	for _, node := range c.Nodes {
		for _, life := range node.Commands {
			for _, command := range life {
				c.require(c.commands().RoundTrip(command))
			}
		}
	}
	for _, o := range c.Prelude {
		c.require(c.commands().RoundTrip(o.Command))
	}
}
