package refine

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

// Exactly the expected violations of the published core are found.
func TestPublishedVerdicts(t *testing.T) {
	for _, m := range Published() {
		info := m.Info()
		t.Run(info.Name, func(t *testing.T) {
			report, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
			require.NoError(t, err)
			declared := map[string]bool{}
			for _, e := range info.Expected {
				declared[e.Property] = true
				assert.NotEmpty(t, e.Why)
			}
			for _, o := range report.Outcomes {
				want := checker.Holds
				if declared[o.Property.Name] {
					want = checker.Violated
				}
				assert.Equal(t, want, o.Verdict, o.Property.Name)
			}
		})
	}
}

// inCircle runs three nodes on ordered links into the circle that NoCircle describes, and on until
// nothing is in flight: each solicits the two others, each WAIT ends after the first solicitation.
func inCircle(core publishedCore) []published.State {
	nodes := make([]published.State, 3)
	var sent []published.Envelope
	feed := func(i int, in published.Input) {
		next, out := core.Step(nodes[i], in)
		nodes[i], sent = next, append(sent, out.Send...)
	}
	deliver := func(wanted func(published.Envelope) bool) bool {
		at := slices.IndexFunc(sent, wanted)
		if at < 0 {
			return false
		}
		e := sent[at]
		sent = slices.Delete(sent, at, at+1)
		feed(int(e.To.Address), published.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		return true
	}
	for i, others := range []string{"BC", "AC", "AB"} {
		nodes[i] = published.New(protocol.Address(i))
		feed(i, published.Input{Kind: protocol.Start})
		feed(i, published.Input{Kind: protocol.Command, Command: published.Command{Near: lettered(others)}})
	}
	for i := range nodes {
		feed(i, published.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: published.CollectTimer}})
	}
	for i := range nodes {
		next := (i + 1) % 3
		deliver(func(e published.Envelope) bool {
			return int(e.From.Address) == i && int(e.To.Address) == next && e.Message.Kind == published.Solicit
		})
		feed(next, published.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: published.WaitTimer}})
	}
	for deliver(func(published.Envelope) bool { return true }) {
	}
	return nodes
}

// From the circle of NoCircle on, nothing ever changes, however often the heads ask again.
func TestTheCircleNeverEnds(t *testing.T) {
	for _, r := range []published.Readings{
		{}, {SolicitsSelf: true}, {Once: true, WaitsForPairs: true, TellsFormer: true}, {Lenient: true},
	} {
		for _, network := range []model.Network{model.Unordered, model.FIFO} {
			s := publishedScenario{
				name: "circle", doc: "-", nodes: 3, memberships: 3, size: 3, readings: r, live: true, instant: true,
			}
			sys := s.system()
			sys.Network = network
			cfg := published.DefaultConfig(s.memberships, s.size, publishedDiameter)
			cfg.Readings = r
			for i, n := range inCircle(s.core(&cfg)) {
				sys.Nodes[i].State, sys.Nodes[i].Timers = n, n.Timers()
				sys.Nodes[i].Commands = nil
			}
			sys.Properties = append(s.properties(), publishedProperty{
				Property: checker.Property{Name: "Waits", Doc: "-", Shape: checker.Always},
				Holds: func(g *globalState[published.State, published.Message]) bool {
					for v := range views(g) {
						if v.Client != ClientMeasure || v.Head != HeadSolicit {
							return false
						}
					}
					return true
				},
			})
			m, err := sys.Compile()
			require.NoError(t, err)
			report, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
			require.NoError(t, err)
			require.True(t, report.Complete)
			assert.Greater(t, report.States, uint64(3), "the heads ask again")
			for name, want := range map[string]checker.Verdict{"Waits": checker.Holds, "Converges": checker.Violated} {
				o, _ := report.Outcome(name)
				assert.Equal(t, want, o.Verdict, "%s on a network that is %v, %v", name, network, r)
			}
		}
	}
}
