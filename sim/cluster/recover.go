package cluster

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// awayMicros is how long a node that has failed is away.
const awayMicros = 60 * second

// againPermille is the share of the nodes that must be in a cluster again.
const againPermille = 950

// Recover refines clusters as [Refine] does, but with signs of life as often as the configuration
// says. Then a share of all nodes, in thousandths, fails at once. They come back after a minute as
// new nodes, and both they and their candidates are introduced to each other. Recover returns how
// long it takes after the failure until 95 % of the nodes that can be in a cluster are in an intact
// one of more than one node: virtual time, in microseconds.
func Recover(
	ctx context.Context, cfg refine.Config, candidates [][]int, micros func(a, b int) int64, seed uint64, failPermille int,
) (int64, error) {
	if failPermille < 1 || failPermille > 1000 {
		return 0, fmt.Errorf("let %d of 1,000 nodes fail: it must be from 1 to 1,000", failPermille)
	}
	r, err := settled(ctx, cfg, candidates, micros, seed)
	if err != nil {
		return 0, err
	}
	failed := r.fail(seed, failPermille)
	begin := r.Now()
	r.At(begin+awayMicros, func() { r.bring(failed) })
	for able := r.able(); r.Now() < begin+awayMicros+1 || r.together()*1000 < able*againPermille; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if r.Now() > begin+mostMicros {
			return 0, fmt.Errorf("refine clusters again on %d cores: %d of %d nodes are in one after %d s",
				r.Len(), r.together(), able, mostMicros/second)
		}
		r.RunUntil(r.Now()+second, nil)
	}
	return r.Now() - begin, nil
}

// fail lets a share of the nodes fail, and returns them.
func (r *run) fail(seed uint64, permille int) (failed []int) {
	draw := r.chance(seed, 2)
	for i := range r.Len() {
		if draw.Below(1000) < uint64(permille) {
			r.Crash(i)
			failed = append(failed, i)
		}
	}
	return failed
}

// bring brings nodes back. All nodes that were candidates for each other are again.
func (r *run) bring(failed []int) {
	for _, i := range failed {
		r.Restart(i)
	}
	back := map[int]bool{}
	for _, i := range failed {
		back[i] = true
	}
	for i := range r.Len() {
		var news []protocol.NodeID
		for _, c := range r.candidates[i] {
			if c != i && (back[i] || back[c]) {
				news = append(news, r.State(c).ID)
			}
		}
		if len(news) > 0 {
			r.Command(i, refine.Command{Kind: refine.CommandAdd, Nodes: news})
		}
	}
}

// able counts the nodes that have candidates.
func (r *run) able() (count int) {
	for i, some := range r.candidates {
		if len(some) > 1 || len(some) == 1 && some[0] != i {
			count++
		}
	}
	return count
}

// together counts the nodes that advertise a cluster of several nodes, all of which run.
func (r *run) together() (count int) {
	for i := range r.Len() {
		if !r.Live(i) {
			continue
		}
		c, ok := r.State(i).Advertised()
		whole := ok && len(c.Members) > 1
		for _, id := range c.Members {
			whole = whole && r.Running(id)
		}
		if whole {
			count++
		}
	}
	return count
}
