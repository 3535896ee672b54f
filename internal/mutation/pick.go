package mutation

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Pick says which mutants to try.
type Pick struct {
	Prefix    string // of their keys
	Touched   bool   // those of functions that are not as they were recorded
	Sample    int    // with Touched: the number of others
	Seed      string // which others
	Survivors bool   // mutants that survived the last time, and have no reason
	Shard     string // i/n: the share i of n, from 1
}

// From returns the picked mutants that have no result yet. Survivors are tried again.
func (p Pick) From(
	all []Mutant, known *Record, results *Results, reasons map[string]Reason,
) ([]Mutant, error) {
	shard, shards, err := p.shard()
	if err != nil {
		return nil, err
	}
	var chosen, others []Mutant
	for _, m := range all {
		verdict, recorded := known.Of(m)
		if r, tried := results.Of(m); tried {
			verdict, recorded = verdictOf(r.Killer), true
		}
		_, reasoned := reasons[m.Key()]
		switch {
		case !strings.HasPrefix(m.Key(), p.Prefix):
		case p.Survivors && (!recorded || verdict != Surviving || reasoned):
		case p.Touched && recorded:
			if verdict != Surviving {
				others = append(others, m)
			}
		default:
			chosen = append(chosen, m)
		}
	}
	chosen = append(chosen, p.sample(others)...)
	if p.Prefix != "" && len(chosen) == 0 && !p.Touched && !p.Survivors {
		return nil, fmt.Errorf("no mutant has a key that begins with %q; a key is like %s", p.Prefix, all[0].Key())
	}
	n := -1
	return slices.DeleteFunc(chosen, func(m Mutant) bool {
		n++
		_, tried := results.Of(m)
		return n%shards != shard-1 || tried && !p.Survivors
	}), nil
}

func (p Pick) shard() (i, n int, err error) {
	if p.Shard == "" {
		return 1, 1, nil
	}
	first, second, _ := strings.Cut(p.Shard, "/")
	if i, err = strconv.Atoi(first); err == nil {
		n, err = strconv.Atoi(second)
	}
	if err != nil || i < 1 || i > n {
		return 0, 0, fmt.Errorf("-shard %q: want i/n, with i from 1 to n: 2/8", p.Shard)
	}
	return i, n, nil
}

// sample returns some of the others. Equal seeds give equal samples.
func (p Pick) sample(others []Mutant) []Mutant {
	rank := func(m Mutant) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(p.Seed + "\n" + m.Key()))
		return h.Sum64()
	}
	slices.SortStableFunc(others, func(a, b Mutant) int {
		switch x, y := rank(a), rank(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return others[:min(p.Sample, len(others))]
}
