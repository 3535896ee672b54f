package node

import (
	"context"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// regridPatience is how long a witness has to answer.
const regridPatience = 5 * time.Second

// Regrid makes the witnesses refuse the present grid.
func (u users) Regrid(ctx context.Context) error {
	closed := make(chan error, 1)
	if !u.post(func() { u.regrid(func(err error) { closed <- err }) }) {
		return u.ending()
	}
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-u.stopped: // this daemon is of the grid that has ended
		return nil
	}
}

// regrid asks the witnesses to refuse the present grid. Done is called when all have answered, or
// have been asked for long enough.
func (n *Node) regrid(done func(error)) {
	witnesses, present := n.config.Grid.Witnesses, n.lease.State().Generation
	left, agreed, last := len(witnesses), 0, error(nil)
	for _, w := range witnesses {
		id := protocol.NodeID{Address: w}
		rpc.Regrid.Ask(n.calls, rpc.Daemon(id).Within(regridPatience), present, func(_ rpc.None, err error) {
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

// answerRegrid closes a generation at this witness, unless it has left that generation: a question
// that comes again must not close the grid that was founded since. Generation 0 is any.
func (n *Node) answerRegrid(from protocol.NodeID, generation uint32) (rpc.None, error) {
	if generation > 0 && n.lease.State().Witness.Generation > generation {
		return rpc.None{}, nil
	}
	n.log.Info("the present grid is closed", "for", from.String())
	n.loop.Command(leaseID, lease.Command{Kind: lease.CommandRegrid})
	return rpc.None{}, nil
}

// share is how much of the map this node has.
func (n *Node) share() float64 {
	if !n.member() {
		return 0
	}
	s := n.peer.State()
	zone, whole, share := s.Can.Self.Zone, n.cores.Can.Space.Whole(), 1.0
	for k := range whole.Low {
		share *= float64(zone.High[k]-zone.Low[k]) / float64(whole.High[k]-whole.Low[k])
	}
	return share
}
