package cluster

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// Aggregation is the data of hosts about each other after reports have converged.
type Aggregation struct {
	Spaces   [][]int // of each host: the hosts that its neighbours in the tree reported, and itself; ascending
	Rounds   int     // in each, every host reports what has changed
	Messages int
}

// link is a host's view of a neighbour in the tree.
type link struct {
	neighbour int
	back      int         // index of the host among the neighbour's links
	known     []dtm.Label // reported by the neighbour
	changed   int         // round of the last report that differed from the one before
}

// Aggregate lets every host report to each neighbour in the tree the hosts nearest that neighbour,
// among the hosts reported by its other neighbours, and itself: at most limit hosts.
func Aggregate(tree *latency.Anchors, hosts, limit int) Aggregation {
	links := linksOf(tree, hosts)
	type report struct {
		to, at int
		known  []dtm.Label
	}
	a := Aggregation{Spaces: make([][]int, hosts)}
	reports := make([][]report, hosts)
	for round := 1; round <= hosts; round++ { // reports run away from each other, so they end at the leaves
		each(hosts, func(host int) {
			reports[host] = reports[host][:0]
			for i, to := range links[host] {
				if round > 1 && !changed(links[host], i, round-1) {
					continue
				}
				sets := [][]dtm.Label{{tree.Label(host)}}
				for j, from := range links[host] {
					if j != i {
						sets = append(sets, from.known)
					}
				}
				known := dtm.Nearest(tree.Label(to.neighbour), limit, sets...)
				reports[host] = append(reports[host], report{to.neighbour, to.back, known})
			}
		})
		news := false
		for _, some := range reports {
			for _, r := range some {
				l := &links[r.to][r.at]
				if slices.EqualFunc(l.known, r.known, func(x, y dtm.Label) bool { return x[0].Host == y[0].Host }) {
					continue
				}
				l.known, l.changed, news = r.known, round, true
				a.Messages++
			}
		}
		if !news {
			break
		}
		a.Rounds = round
	}
	for host := range links {
		a.Spaces[host] = space(host, links[host])
	}
	return a
}

// linksOf lists the neighbours of each host: its anchor, and the hosts whose anchor it is.
func linksOf(tree *latency.Anchors, hosts int) [][]link {
	links := make([][]link, hosts)
	for host := range hosts {
		if anchor := tree.Anchor(host); anchor >= 0 {
			links[host] = append(links[host], link{neighbour: anchor, back: len(links[anchor])})
			links[anchor] = append(links[anchor], link{neighbour: host, back: len(links[host]) - 1})
		}
	}
	return links
}

// changed reports whether another neighbour than one had news in a round.
func changed(links []link, except, round int) bool {
	for j := range links {
		if j != except && links[j].changed == round {
			return true
		}
	}
	return false
}

func space(host int, links []link) []int {
	known := []int{host}
	for _, l := range links {
		for _, label := range l.known {
			known = append(known, int(label[0].Host.Address))
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}
