package cluster

import (
	"math/rand/v2"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Cost counts what heads and clients send each other.
type Cost struct {
	Solicitations int `json:"solicitations"`
	Answers       int `json:"answers"`
	Updates       int `json:"updates"` // with the greedy criterion: answers of others, to clients that have not answered
}

// Limit makes each host a member of no more clusters than it may be (Algorithm 3). Every head
// solicits its candidates, in a random order of all solicitations. A client that has too many
// suitors turns one down, and accepts the remaining ones when its last solicitation has come. The
// result lists the head and the hosts that accepted it, ascending.
func Limit(candidates [][]int, memberships int, by refine.Criterion, r *rand.Rand) ([][]int, Cost) {
	var cost Cost
	type solicitation struct{ head, client int32 }
	var all []solicitation
	l := limiting{
		by: by, slots: make([][]refine.Slot, len(candidates)), coming: make([]int, len(candidates)),
		ceiling: make([]int, len(candidates)), sure: make([]int, len(candidates)), clusters: make([][]int, len(candidates)),
		cost: &cost,
	}
	for head, clients := range candidates {
		l.ceiling[head], l.sure[head], l.clusters[head] = len(clients), 1, []int{head}
		for _, client := range clients {
			if client != head {
				all = append(all, solicitation{int32(head), int32(client)})
				l.coming[client]++
			}
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, s := range all {
		l.solicit(int(s.head), int(s.client), memberships-1) // its own cluster takes one of its places
	}
	for head := range l.clusters {
		slices.Sort(l.clusters[head])
	}
	cost.Solicitations = len(all)
	return l.clusters, cost
}

// limiting is the state of heads and clients while solicitations come.
type limiting struct {
	by       refine.Criterion
	slots    [][]refine.Slot // of each client: its suitors
	coming   []int           // of each client: solicitations that are still to come
	ceiling  []int           // of each head: how large its cluster can still become
	sure     []int           // of each head: how many have accepted, itself included
	clusters [][]int
	cost     *Cost
}

func (l *limiting) solicit(head, client, places int) {
	suitors := append(l.slots[client], refine.Slot{Head: identity(head), Stage: refine.Suitor})
	if len(suitors) > places {
		if l.by == refine.Greedy { // heads keep their suitors informed
			for i := range suitors {
				suitor := int(suitors[i].Head.Address)
				suitors[i].Ceiling, suitors[i].Sure = uint32(l.ceiling[suitor]), uint32(l.sure[suitor])
			}
		}
		worst := l.by.LeastDesirable(suitors, len(suitors)-1)
		l.ceiling[suitors[worst].Head.Address]--
		l.answered(int(suitors[worst].Head.Address))
		suitors = slices.Delete(suitors, worst, worst+1)
	}
	l.slots[client] = suitors
	if l.coming[client]--; l.coming[client] > 0 {
		return
	}
	for _, s := range suitors {
		suitor := int(s.Head.Address)
		l.sure[suitor]++
		l.clusters[suitor] = append(l.clusters[suitor], client)
		l.answered(suitor)
	}
}

// answered counts an answer to a head, and the updates that it sends.
func (l *limiting) answered(head int) {
	l.cost.Answers++
	if l.by == refine.Greedy {
		l.cost.Updates += l.ceiling[head] - l.sure[head]
	}
}

func identity(host int) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(host), Incarnation: 1}
}
