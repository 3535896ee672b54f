package main

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
)

// swarm is the number of small searches to make instead of an exhaustive one, and a share of them.
type swarm struct {
	searches int // 0: none, search exhaustively
	shard    checker.Shard
}

// swarmOf reads --swarm and --shard.
func swarmOf(searches int, shard string) (swarm, error) {
	s := swarm{searches: searches}
	switch {
	case searches < 0:
		return s, usagef("--swarm %d is negative; 0 is no swarm", searches)
	case shard == "":
		return s, nil
	case searches == 0:
		return s, usagef("--shard %s is a share of a swarm; add --swarm N", shard)
	}
	var i, n int
	if _, err := fmt.Sscanf(shard, "%d/%d", &i, &n); err != nil || fmt.Sprintf("%d/%d", i, n) != shard || i < 1 || i > n ||
		i > searches {
		return s, usagef("--shard %q is no share of %d searches; it is I/N, from 1/N to N/N", shard, searches)
	}
	s.shard = checker.Shard{Index: i - 1, Of: n}
	return s, nil
}
