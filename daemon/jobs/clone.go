package jobs

import (
	"maps"
	"slices"
)

// Clone is a copy of a record that does not change with it. The two share the submitted job and the
// outputs reported by hosts, since neither is ever changed.
func (r *Record) Clone() *Record {
	c := *r
	c.Changes = slices.Clone(r.Changes)
	c.Attempts = slices.Clone(r.Attempts)
	for i := range c.Attempts {
		c.Attempts[i] = c.Attempts[i].clone()
	}
	c.Custodians, c.Dead, c.Left = slices.Clone(r.Custodians), slices.Clone(r.Dead), slices.Clone(r.Left)
	c.Counts, c.Failed = maps.Clone(r.Counts), slices.Clone(r.Failed)
	if r.Asked != nil {
		asked := r.Asked.clone()
		c.Asked = &asked
	}
	return &c
}

func (a Attempt) clone() Attempt {
	a.Hosts, a.Statuses, a.Ranks = slices.Clone(a.Hosts), slices.Clone(a.Statuses), slices.Clone(a.Ranks)
	a.End = pointed(a.End)
	for i := range a.Ranks {
		a.Ranks[i].End = pointed(a.Ranks[i].End)
	}
	return a
}

// pointed points to a copy.
func pointed[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
