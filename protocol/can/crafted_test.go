package can_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// States that are put together by hand, for rules that matter only in rare states.

// letter returns the identity of the first incarnation at an address: A is 0.
func letter(name rune) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1}
}

func letters(names string) (ids []protocol.NodeID) {
	for _, name := range names {
		ids = append(ids, letter(name))
	}
	return ids
}

// box returns a zone from the bounds of its dimensions: low, high, low, high …
func box(bounds ...int32) space.Zone {
	z := space.Zone{}
	for k := range z.High {
		z.High[k] = 1
	}
	for k := range len(bounds) / 2 {
		z.Low[k], z.High[k] = bounds[2*k], bounds[2*k+1]
	}
	return z
}

// owner returns the record of a node that owns a zone, with its coordinate in a corner.
func owner(name rune, bounds ...int32) can.Record {
	z := box(bounds...)
	return can.Record{ID: letter(name), Coord: z.Low, Zone: z, Version: 1}
}

// member returns a node that owns a zone and knows others, of which some are dead. The records are
// in the order of the alphabet.
func member(self can.Record, dead string, known ...can.Record) can.State {
	return can.State{Phase: can.Member, Self: self, Known: known, Dead: letters(dead)}
}

// plain returns the configuration of a space without a virtual dimension.
func plain(t *testing.T, sizes ...int32) *can.Config {
	t.Helper()
	s, err := space.New(0, sizes...)
	require.NoError(t, err)
	cfg := can.DefaultConfig(s)
	require.NoError(t, cfg.Validate())
	return &cfg
}

// given makes a step with a message.
func given(cfg *can.Config, s can.State, from rune, m can.Message) (can.State, can.Output) {
	return can.Step(cfg, s, can.Input{Kind: protocol.Deliver, From: letter(from), Message: m})
}

// fired makes a step with a timeout; the peer matters to a MissedTimer only.
func fired(cfg *can.Config, s can.State, kind protocol.TimerKind, peer protocol.NodeID) (can.State, can.Output) {
	return can.Step(cfg, s, can.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind, Peer: peer}})
}

// told makes a step with a command.
func told(cfg *can.Config, s can.State, kind can.CommandKind) (can.State, can.Output) {
	return can.Step(cfg, s, can.Input{Kind: protocol.Command, Command: can.Command{Kind: kind}})
}

// sent describes what a step sent, a line each: B ProposeOK 1 YES
func sent(cfg *can.Config, out can.Output) (lines []string) {
	for _, e := range out.Send {
		lines = append(lines, e.To.String()+" "+can.MessageText(cfg, e.Message))
	}
	return lines
}

// events describes the events of a step: retry B MERGE
func events(out can.Output) (lines []string) {
	for _, e := range out.Events {
		line := e.Name
		if !e.Peer.IsNobody() {
			line += " " + e.Peer.String()
		}
		if e.Detail != "" {
			line += " " + e.Detail
		}
		lines = append(lines, line)
	}
	return lines
}

// names lists the nodes that a node has on record.
func names(s can.State) (all string) {
	for _, r := range s.Known {
		all += r.ID.String()
	}
	return all
}

func requireSame(t *testing.T, cfg *can.Config, want, got can.State) {
	t.Helper()
	require.Equal(t, can.StateText(cfg, want), can.StateText(cfg, got))
}
