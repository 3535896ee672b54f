package lab

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// MergeShards adds the rows of shards, as [Merge] does. It refuses a shard that is given twice, and
// rows of different builds unless mixed.
func MergeShards(into *Rows, paths []string, mixed bool) (added int, err error) {
	from := map[Share]string{}
	var first *Row
	if len(into.all) > 0 {
		first = into.all[0]
	}
	for _, path := range paths {
		rows, err := ReadRows(path)
		if err != nil {
			return 0, err
		}
		if len(rows) == 0 {
			return 0, usage.Errorf("there are no rows in %s; leave it out, or run its shard again", path)
		}
		for _, row := range rows {
			if first = cmp.Or(first, row); !mixed && !isOneBuild(row.Commit, first.Commit) {
				return 0, usage.Errorf("%s has rows of the build %s, but others are of %s, which may differ; run all shards "+
					"with one build, or take them all with --allow-mixed", path, cmp.Or(row.Commit, unnamed),
					cmp.Or(first.Commit, unnamed))
			}
		}
		for s := range sharesOf(rows) {
			if other := from[s]; other != "" {
				return 0, usage.Errorf("%s and %s both have shard %d/%d; give each shard once", other, path, s.Shard, s.Shards)
			}
			from[s] = path
		}
	}
	return Merge(into, paths)
}

// sharesOf are the shards of which there are rows.
func sharesOf(rows []*Row) map[Share]bool {
	all := map[Share]bool{}
	for _, row := range rows {
		if row.Share != nil {
			s := *row.Share
			s.Run = 0
			all[s] = true
		}
	}
	return all
}

// Missing lists the missing shares of each campaign, a line each.
func (r *Rows) Missing() []string {
	type campaign struct {
		digest string
		runs   int
	}
	here := map[campaign]map[int]bool{}
	shards := map[campaign]int{} // the most into which it was divided
	for _, row := range r.all {
		if s := row.Share; s != nil {
			c := campaign{s.Campaign, s.Runs}
			if here[c] == nil {
				here[c] = map[int]bool{}
			}
			here[c][s.Run] = true
			shards[c] = max(shards[c], s.Shards)
		}
	}
	var lines []string
	for c, runs := range here {
		if lack := lacking(runs, c.runs, shards[c]); len(lack) > 0 {
			lines = append(lines, fmt.Sprintf("%d of the %s are missing: %s", c.runs-len(runs), metric.Count(c.runs, "run"),
				strings.Join(lack, ", ")))
		}
	}
	slices.Sort(lines)
	return lines
}

// lacking names the shards that have too few runs, ten at most.
func lacking(here map[int]bool, runs, shards int) (names []string) {
	const most = 10
	lost, all := map[int]int{}, map[int]int{}
	for run := range runs {
		all[run%shards]++
		if !here[run] {
			lost[run%shards]++
		}
	}
	for _, i := range slices.Sorted(maps.Keys(lost)) {
		name := fmt.Sprintf("shard %d/%d", i+1, shards)
		if lost[i] < all[i] {
			name += fmt.Sprintf(" has %d of %d", all[i]-lost[i], all[i])
		}
		names = append(names, name)
	}
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("%d more", len(names)-most))
	}
	return names
}
