package drivetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

// impure is the CAN core, but for one flaw.
type impure struct {
	can.Core
	flaw string

	steps *uint32
	kept  *[]can.Record
}

func (b *impure) Step(s can.State, in can.Input) (can.State, can.Output) {
	after, out := b.Core.Step(s, in)
	*b.steps++
	switch b.flaw {
	case "a state that depends on the past":
		after.Round += *b.steps
	case "an output that depends on the past":
		out.Events = append(out.Events, protocol.Event{Name: "step", Number: *b.steps})
	case "a shared list":
		after.Known = s.Known
	case "a change of the state that was given":
		if len(s.Known) > 0 {
			s.Known[0].Version++
		}
	case "a change of the configuration":
		b.Config.HopLimit++
	case "a change of the returned values":
		if len(*b.kept) > 0 {
			(*b.kept)[0].Version++
		}
		*b.kept = after.Known
	}
	return after, out
}

// Each way in which a step is no pure function is noticed.
func TestPureNotices(t *testing.T) {
	for _, flaw := range []string{
		"", "a state that depends on the past", "an output that depends on the past", "a shared list",
		"a change of the state that was given", "a change of the configuration", "a change of the returned values",
	} {
		noticed := fails(func(f require.TestingT) {
			net := joined(t)
			core := &impure{Core: *net.Core.(*can.Core), flaw: flaw, steps: new(uint32), kept: new([]can.Record)}
			pure := drivetest.NewPure(
				f,
				protocol.Core[can.State, can.Message, can.Command](core),
				func(s can.State) { drivetest.Wipe(s.Known) },
			)
			net.Core = pure
			net.Command(net.Nodes[1], can.Command{Kind: can.CommandLeave})
			net.Drain()
			pure.RequireUnchanged()
		})
		assert.Equal(t, flaw != "", noticed, flaw)
	}
}
