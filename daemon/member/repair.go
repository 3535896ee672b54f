package member

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// regridPatience is how long a witness has to answer.
const regridPatience = 5 * time.Second

// Regrid asks the witnesses to refuse the present grid. Done is called when all have answered, or
// have been asked for long enough.
func (p *Repair) Regrid(done func(error)) {
	witnesses, present := p.Config.Grid.Witnesses, p.Lease.State().Generation
	left, agreed, last := len(witnesses), 0, error(nil)
	for _, w := range witnesses {
		id := protocol.NodeID{Address: w}
		rpc.Regrid.Ask(p.Calls, rpc.Daemon(id).Within(regridPatience), present, func(_ rpc.None, err error) {
			if err == nil {
				agreed++
			} else {
				last = fmt.Errorf("witness %v: %w", protocol.NodeID{Address: w, Incarnation: 1}, err)
			}
			if left--; left > 0 {
				return
			}
			if err = nil; agreed <= len(witnesses)/2 {
				err = fmt.Errorf("the grid goes on: %d of %d witnesses have agreed, which is no majority; %w",
					agreed, len(witnesses), last)
			}
			done(err)
		})
	}
}

// AnswerRegrid closes a generation at this witness, unless it has left that generation: a repeated
// question must not close the grid that was founded since. Generation 0 is any.
func (p *Repair) AnswerRegrid(from protocol.NodeID, generation uint32) (rpc.None, error) {
	if generation > 0 && p.Lease.State().Witness.Generation > generation {
		return rpc.None{}, nil
	}
	p.Log.Info("the present grid is closed", "for", from.String())
	p.Loop.Command(life.LeaseID, lease.Command{Kind: lease.CommandRegrid})
	return rpc.None{}, nil
}

// Two neighbours on the map that end at once can leave a part of it without an owner, which no node
// takes over. Or others take over without meeting each other. If nothing on such a map changes for
// gapPatience, a witness has a new one made.
const (
	mapEvery    = 4 * time.Second
	gapPatience = 20 * time.Second
)

// gapWatch finds a map that stays broken.
type gapWatch struct {
	seen  string
	since time.Duration // by the clock of the node
}

// stays reports whether the map is broken, and has not changed for gapPatience. While a node does
// not answer nothing is known.
func (w *gapWatch) stays(nodes []api.NodeReport, now time.Duration) bool {
	var lines []string
	for _, n := range nodes {
		lines = append(lines, fmt.Sprint(n.Node, n.Phase, n.Zone, n.Gone, n.Open, n.Error))
	}
	slices.Sort(lines)
	if text := strings.Join(lines, "\n"); api.Broken(nodes) == "" || text != w.seen {
		w.seen, w.since = text, now
		return false
	}
	return now-w.since >= gapPatience
}

// Repair has the witnesses make a new map when the present one stays broken.
type Repair struct {
	*life.Runtime
	*config.Settings
	Survey func(former bool, done func([]api.NodeReport)) // asks all daemons for their reports
	gap    gapWatch
}

// Mend looks at the map from time to time, if the node is a witness.
func (p *Repair) Mend() {
	if slices.Contains(p.Config.Grid.Witnesses, p.Self.Address) {
		p.After(mapEvery, func() { p.Survey(false, p.surveyed) })
	}
}

// surveyed takes what all daemons say of the map.
func (p *Repair) surveyed(nodes []api.NodeReport) {
	if !p.gap.stays(nodes, p.Clock()) {
		p.Mend()
		return
	}
	p.gap = gapWatch{}
	p.Log.Warn("the map stays broken: the witnesses are asked to close the grid", "why", api.Broken(nodes))
	p.Regrid(func(err error) {
		if err != nil {
			p.Log.Warn("the grid was not closed", "error", err)
		}
		p.Mend()
	})
}
