package placement

import "github.com/canvass-grid/canvass/protocol"

// Core is this protocol with its configuration bound, as drivers take it.
type Core struct {
	Config Config
}

var _ protocol.Core[State, Message, Command] = (*Core)(nil)

// Step is the package's Step.
func (c *Core) Step(s State, in Input) (State, Output) { return Step(&c.Config, s, in) }

// AppendState is the package's AppendState.
func (c *Core) AppendState(dst []byte, s State) []byte { return AppendState(dst, s) }

// DecodeState is the package's DecodeState.
func (c *Core) DecodeState(src []byte) (State, error) { return DecodeState(src) }

// AppendMessage is the package's AppendMessage.
func (c *Core) AppendMessage(dst []byte, m Message) []byte { return AppendMessage(dst, m) }

// DecodeMessage is the package's DecodeMessage.
func (c *Core) DecodeMessage(src []byte) (Message, error) { return DecodeMessage(src) }

// AppendCommand is the package's AppendCommand.
func (c *Core) AppendCommand(dst []byte, command Command) []byte { return AppendCommand(dst, command) }

// DecodeCommand is the package's DecodeCommand.
func (c *Core) DecodeCommand(src []byte) (Command, error) { return DecodeCommand(src) }

// StateText is the package's StateText.
func (c *Core) StateText(s State) string { return StateText(s) }

// MessageText is the package's MessageText.
func (c *Core) MessageText(m Message) string { return MessageText(m) }

// CommandText is the package's CommandText.
func (c *Core) CommandText(command Command) string { return CommandText(command) }

// TimerText is the package's TimerText.
func (c *Core) TimerText(t protocol.Timer) string { return TimerText(t) }

// EventNames lists the names of all events that Step may output.
func (c *Core) EventNames() []string { return eventNames() }
