package node

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// regridPatience is how long a witness has to answer.
const regridPatience = 5 * time.Second

// Regrid makes the witnesses refuse the present grid.
func (u users) Regrid(ctx context.Context) error {
	type word struct {
		witness protocol.Address
		err     error
	}
	witnesses := u.config.Grid.Witnesses
	words := make(chan word, len(witnesses))
	_, err := on(ctx, u.Node, func() (struct{}, error) {
		present := u.lease.State().Generation
		for _, w := range witnesses {
			u.ask(protocol.NodeID{Address: w}, "regrid", present, regridPatience, nil, func(_ json.RawMessage, err error) {
				words <- word{w, err}
			})
		}
		return struct{}{}, nil
	})
	if err != nil {
		return err
	}
	agreed, last := 0, error(nil)
	for range witnesses {
		select {
		case w := <-words:
			if w.err == nil {
				agreed++
				continue
			}
			last = fmt.Errorf("witness %v: %w", protocol.NodeID{Address: w.witness, Incarnation: 1}, w.err)
		case <-ctx.Done():
			return ctx.Err()
		case <-u.stopped: // this daemon is of the grid that has ended
			return nil
		}
	}
	if agreed > len(witnesses)/2 {
		return nil
	}
	return fmt.Errorf("the grid goes on: %d of %d witnesses have agreed, which is no majority; %w",
		agreed, len(witnesses), last)
}

// answerRegrid closes a generation at this witness, unless it has left that generation: a question
// that comes again must not close the grid that was founded since. Generation 0 is any.
func (n *Node) answerRegrid(from protocol.NodeID, generation uint32) (any, error) {
	if generation > 0 && n.lease.State().Witness.Generation > generation {
		return nil, nil
	}
	n.log.Info("the present grid is closed", "for", from.String())
	n.loop.Command(leaseID, lease.Command{Kind: lease.CommandRegrid})
	return nil, nil
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
