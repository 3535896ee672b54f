package experiment

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// relation is the part of a claim that rows can confirm or refute.
type relation interface {
	judge(rows []*lab.Row) (verdict Verdict, found string)
}

// unique is the relation of a single kind of claim.
type unique func(rows []*lab.Row) (verdict Verdict, found string)

func (f unique) judge(rows []*lab.Row) (Verdict, string) { return f(rows) }

// less says that the mean slowdown of a side is at most factor times that of another: the interval
// of the paired difference lies below zero.
type less struct {
	a, b   side
	factor float64
}

// atMost claims that the mean slowdown of a is at most factor times that of b.
func atMost(a, b side, factor float64, published string) Claim {
	text := fmt.Sprintf("%s has a smaller mean slowdown than %s", a, b)
	if factor != 1 {
		text = fmt.Sprintf("the mean slowdown of %s is at most %.3g times that of %s", a, factor, b)
	}
	return Claim{Text: text, Published: published, relation: less{a, b, factor}}
}

func (l less) judge(rows []*lab.Row) (Verdict, string) {
	first, second := pairs(rows, l.a, l.b)
	if len(first) < 2 {
		return Undetermined, notRun
	}
	scaled := make([]float64, len(second))
	for i, x := range second {
		scaled[i] = float64(l.factor * x)
	}
	_, low, high, err := metric.Paired(first, scaled)
	if err != nil {
		return Undetermined, err.Error()
	}
	found := means(first, second)
	switch {
	case high < 0:
		return Reproduced, found
	case low > 0:
		return Deviates, found
	}
	difference := "the first less the second"
	if l.factor != 1 {
		difference = fmt.Sprintf("the first less %.3g times the second", l.factor)
	}
	return Undetermined, fmt.Sprintf("%s; %s is within chance (%s to %s)", found, difference, metric.Text(low, 3),
		metric.Text(high, 3))
}

// shown shows the mean slowdowns of two sides, about which nothing is published. With chance, it
// says whether the difference may be chance.
type shown struct {
	a, b   side
	chance bool
}

// ratio shows how many times the mean slowdown of b that of a is.
func ratio(a, b side) Claim {
	return Claim{
		Text: fmt.Sprintf("the mean slowdown of %s beside that of %s", a, b), Published: Unpublished,
		relation: shown{a, b, false},
	}
}

// beside also shows how they differ.
func beside(a, b side) Claim {
	c := ratio(a, b)
	c.relation = shown{a, b, true}
	return c
}

func (s shown) judge(rows []*lab.Row) (Verdict, string) {
	first, second := pairs(rows, s.a, s.b)
	if len(first) < 2 {
		return Undetermined, notRun
	}
	found := means(first, second)
	_, low, high, err := metric.Paired(first, second)
	switch {
	case err != nil || !s.chance:
	case low <= 0 && high >= 0:
		found += "; the difference is within chance"
	default:
		found += fmt.Sprintf("; the difference is %.4g to %.4g", low, high)
	}
	return Undetermined, found
}

// ratios adds the mean of the ratios, seed by seed, to the result of another relation.
type ratios struct {
	relation
	a, b side
}

// withRatio adds the ratios of two sides to the result of a claim.
func withRatio(c Claim, a, b side) Claim {
	c.relation = ratios{c.relation, a, b}
	return c
}

func (r ratios) judge(rows []*lab.Row) (Verdict, string) {
	verdict, found := r.relation.judge(rows)
	first, second := pairs(rows, r.a, r.b)
	if len(first) < 2 {
		return verdict, found
	}
	for i := range first {
		first[i] /= second[i]
	}
	mean, low, high := metric.Interval(first)
	return verdict, found + fmt.Sprintf("; by seed %.3g, %.3g to %.3g", mean, low, high)
}

// bound says that a number is at most a limit: the whole 95 % interval of its mean over seeds is.
// The number is computed for each seed, and may lack predictions that were not made.
type bound struct {
	most   float64
	number func(s seeded) (float64, bool)
}

// bounded claims that a number is at most a limit.
func bounded(text, published string, most float64, number func(s seeded) (float64, bool)) Claim {
	return Claim{Text: text, Published: published, relation: bound{most, number}}
}

func (b bound) judge(rows []*lab.Row) (Verdict, string) {
	bySeed := map[uint64]seeded{}
	var seeds []uint64
	for _, r := range rows {
		if bySeed[r.Seed] == nil {
			seeds = append(seeds, r.Seed)
		}
		bySeed[r.Seed] = append(bySeed[r.Seed], r)
	}
	slices.Sort(seeds)
	var values []float64
	for _, seed := range seeds {
		if v, ok := b.number(bySeed[seed]); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return Undetermined, "not run"
	}
	mean, low, high := metric.Interval(values)
	found := fmt.Sprintf("%s; bound %.4g", spanned(mean, low, high, ""), b.most)
	switch {
	case high <= b.most:
		return Reproduced, found
	case low > b.most:
		return Deviates, found
	}
	return Undetermined, found
}
