package check

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
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
		return s, cli.Usagef("--swarm %d is negative; 0 means no swarm", searches)
	case shard == "":
		return s, nil
	case searches == 0:
		return s, cli.Usagef("--shard %s is a share of a swarm; add --swarm N", shard)
	}
	var i, n int
	if _, err := fmt.Sscanf(shard, "%d/%d", &i, &n); err != nil || fmt.Sprintf("%d/%d", i,
		n) != shard || i < 1 || i > n ||
		n > min(searches, verdict.MostShards) {
		return s, cli.Usagef("--shard %q is no share of %s; write I/N with I from 1 to N, and N up to %d: 1/2", shard,
			english.Count(searches, "search"), min(searches, verdict.MostShards))
	}
	s.shard = checker.Shard{Index: i - 1, Of: n}
	return s, nil
}

// shardsOf describes the shard that a check runs.
func shardsOf(s swarm, flags *pflag.FlagSet) verdict.Shards {
	return verdict.ShardOf(s.shard.Index, s.shard.Of, flags)
}
