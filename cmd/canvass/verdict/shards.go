package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/cli"
)

// MostShards bounds the shards of a swarm or of seeds: a report lists the missing ones.
const MostShards = 10_000

// Shards says in JSON which shards of a swarm, or of the seeds of a simulation, a result has,
// and the flags and build of the run. An undivided result is shard 1 of 1.
type Shards struct {
	Of      int    `json:"of"`
	Present []int  `json:"present"` // counted from 1, ascending
	Former  []int  `json:"here"`    // former name of present
	Missing []int  `json:"missing"` // the others
	Flags   string `json:"flags"`   // that decide what is searched
	Commit  string `json:"commit"`
}

// ShardOf describes one of several shards, counted from 0; of 0 or 1 it is the whole.
func ShardOf(index, of int, flags *pflag.FlagSet) Shards {
	o := Shards{Of: max(1, of), Present: []int{1 + index}, Flags: searchFlags(flags), Commit: cli.ThisBuild().Commit}
	o.Former, o.Missing = o.Present, o.others()
	return o
}

// IsSound reports whether the shards are consistent, as a check writes them. It fills in Missing,
// and reads files that have only the former name of present.
func (o *Shards) IsSound() bool {
	if o != nil && len(o.Present) == 0 {
		o.Present = o.Former
	}
	if o == nil || o.Of < 1 || o.Of > MostShards || len(o.Present) == 0 || !slices.IsSorted(o.Present) ||
		len(slices.Compact(slices.Clone(o.Present))) != len(o.Present) || o.Present[0] < 1 ||
		o.Present[len(o.Present)-1] > o.Of {
		return false
	}
	o.Former, o.Missing = o.Present, o.others()
	return true
}

// others are the missing shards.
func (o *Shards) others() []int {
	all := []int{}
	for i := 1; i <= o.Of; i++ {
		if _, present := slices.BinarySearch(o.Present, i); !present {
			all = append(all, i)
		}
	}
	return all
}

// Join adds the shards of another result of the same swarm.
func (o *Shards) Join(other *Shards) error {
	switch {
	case o.Commit != other.Commit:
		return fmt.Errorf("checked by the build %s, and an earlier file by %s; check all shards with one build",
			other.Commit, o.Commit)
	case o.Flags != other.Flags:
		return fmt.Errorf("checked with %q, and an earlier file with %q; check all shards with the same flags",
			other.Flags, o.Flags)
	case o.Of != other.Of:
		return fmt.Errorf("a shard of %d, and an earlier file has one of %d; divide it in one way", other.Of, o.Of)
	}
	for _, i := range other.Present {
		at, twice := slices.BinarySearch(o.Present, i)
		if twice {
			return fmt.Errorf("shard %d/%d is in an earlier file, too; give each shard once", i, o.Of)
		}
		o.Present = slices.Insert(o.Present, at, i)
	}
	o.Former, o.Missing = o.Present, o.others()
	return nil
}

// mostNamed is how many missing shards a message names.
const mostNamed = 10

// Lack names the missing shards.
func (o *Shards) Lack() string {
	var names []string
	for _, i := range o.Missing[:min(mostNamed, len(o.Missing))] {
		names = append(names, fmt.Sprintf("%d/%d", i, o.Of))
	}
	text := "shards are missing: "
	if len(o.Missing) == 1 {
		text = "a shard is missing: "
	}
	text += strings.Join(names, ", ")
	if more := len(o.Missing) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// elsewhere are flags that decide where a search runs, for how long, and how it is shown, but not
// which states it explores.
var elsewhere = []string{
	"shard", "workers", "timeout", "memory-limit", "temp-dir", "checkpoint", "resume", "deep",
	"verbose", "quiet", "json", "junit", "coverage", "trace-dir", "finding-dir",
}

// searchFlags lists the flags of a check that decide what is searched and are not at their
// defaults.
func searchFlags(flags *pflag.FlagSet) string {
	var all []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Value.String() != f.DefValue && !slices.Contains(elsewhere, f.Name) {
			all = append(all, "--"+f.Name+"="+f.Value.String())
		}
	})
	slices.Sort(all)
	return strings.Join(all, " ")
}
