package cores

import (
	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/protocol"
)

// guarded notes the calls of a core. It embeds nothing, so that it has no method which does
// not.
type guarded[S, M, C any] struct {
	core  protocol.Core[S, M, C]
	log   *blame.Log
	first int // the number of the first function
}

// The functions of a core.
const (
	coreStep = iota
	coreAppendState
	coreDecodeState
	coreAppendMessage
	coreDecodeMessage
	coreAppendCommand
	coreDecodeCommand
	coreStateText
	coreMessageText
	coreCommandText
	coreTimerText
	coreFunctions
)

var coreNames = [coreFunctions]string{
	"Step", "AppendState", "DecodeState", "AppendMessage", "DecodeMessage", "AppendCommand", "DecodeCommand",
	"StateText", "MessageText", "CommandText", "TimerText",
}

// Guard returns the core with a note in the log of which of its methods is running.
func Guard[S, M, C any](log *blame.Log, core protocol.Core[S, M, C]) protocol.Core[S, M, C] {
	g := &guarded[S, M, C]{core: core, log: log}
	for i, name := range coreNames {
		if number := log.Add(name + " of the core"); i == 0 {
			g.first = number
		}
	}
	return g
}

func (g *guarded[S, M, C]) enter(function int) (before int) {
	return g.log.Enter(g.first + function)
}

func (g *guarded[S, M, C]) Step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	before := g.enter(coreStep)
	after, out := g.core.Step(s, in)
	g.log.Leave(before)
	return after, out
}

func (g *guarded[S, M, C]) AppendState(dst []byte, s S) []byte {
	before := g.enter(coreAppendState)
	dst = g.core.AppendState(dst, s)
	g.log.Leave(before)
	return dst
}

func (g *guarded[S, M, C]) DecodeState(src []byte) (S, error) {
	before := g.enter(coreDecodeState)
	s, err := g.core.DecodeState(src)
	g.log.Leave(before)
	return s, err
}

func (g *guarded[S, M, C]) AppendMessage(dst []byte, m M) []byte {
	before := g.enter(coreAppendMessage)
	dst = g.core.AppendMessage(dst, m)
	g.log.Leave(before)
	return dst
}

func (g *guarded[S, M, C]) DecodeMessage(src []byte) (M, error) {
	before := g.enter(coreDecodeMessage)
	m, err := g.core.DecodeMessage(src)
	g.log.Leave(before)
	return m, err
}

func (g *guarded[S, M, C]) AppendCommand(dst []byte, c C) []byte {
	before := g.enter(coreAppendCommand)
	dst = g.core.AppendCommand(dst, c)
	g.log.Leave(before)
	return dst
}

func (g *guarded[S, M, C]) DecodeCommand(src []byte) (C, error) {
	before := g.enter(coreDecodeCommand)
	c, err := g.core.DecodeCommand(src)
	g.log.Leave(before)
	return c, err
}

func (g *guarded[S, M, C]) StateText(s S) string {
	before := g.enter(coreStateText)
	text := g.core.StateText(s)
	g.log.Leave(before)
	return text
}

func (g *guarded[S, M, C]) MessageText(m M) string {
	before := g.enter(coreMessageText)
	text := g.core.MessageText(m)
	g.log.Leave(before)
	return text
}

func (g *guarded[S, M, C]) CommandText(c C) string {
	before := g.enter(coreCommandText)
	text := g.core.CommandText(c)
	g.log.Leave(before)
	return text
}

func (g *guarded[S, M, C]) TimerText(t protocol.Timer) string {
	before := g.enter(coreTimerText)
	text := g.core.TimerText(t)
	g.log.Leave(before)
	return text
}
