package scheduler

import (
	"fmt"
	"slices"
)

// Dimension is a property of nodes that jobs may require: a quantity, of which a node must have at
// least as much, or a category, of which it must have one of a set.
type Dimension struct {
	Name       string   // "memory_mib"
	Categories []string // nil for a quantity; at most 31
}

// maxCategories is how many categories fit into a set, which is the bits of a positive int32.
const maxCategories = 31

// Needs has the requirements of the jobs of a workload, by dimension. Each node of a job must
// satisfy them. A job in a new table requires nothing.
type Needs struct {
	Dimensions []Dimension
	values     []int32 // by job and dimension: the least quantity, or a set of categories; 0: any
}

// NewNeeds returns the table of a number of jobs that require nothing.
func NewNeeds(dimensions []Dimension, jobs int) (*Needs, error) {
	for i, d := range dimensions {
		if len(d.Categories) > maxCategories {
			return nil, fmt.Errorf("dimension %q has %d categories; use at most %d", d.Name, len(d.Categories), maxCategories)
		}
		if d.Name == "" || slices.ContainsFunc(dimensions[:i], func(o Dimension) bool { return o.Name == d.Name }) {
			return nil, fmt.Errorf("dimension %d is called %q; give each another name", i, d.Name)
		}
	}
	return &Needs{dimensions, make([]int32, len(dimensions)*jobs)}, nil
}

// Jobs counts the jobs.
func (n *Needs) Jobs() int {
	if len(n.Dimensions) == 0 {
		return 0
	}
	return len(n.values) / len(n.Dimensions)
}

// AtLeast makes a job require a quantity.
func (n *Needs) AtLeast(job, dimension int, least int32) error {
	if d := &n.Dimensions[dimension]; d.Categories != nil || least < 0 {
		return fmt.Errorf("job %d requires %d of %q; require 0 or more, of a quantity", job, least, d.Name)
	}
	n.Of(job)[dimension] = least
	return nil
}

// OneOf makes a job require one of some categories, or any if no category is given.
func (n *Needs) OneOf(job, dimension int, categories ...int) error {
	d, set := &n.Dimensions[dimension], int32(0)
	for _, c := range categories {
		if c < 0 || c >= len(d.Categories) {
			return fmt.Errorf("job %d requires category %d of %q, which has %d", job, c, d.Name, len(d.Categories))
		}
		set |= 1 << c
	}
	n.Of(job)[dimension] = set
	return nil
}

// Of returns what a job requires, by dimension.
func (n *Needs) Of(job int) []int32 {
	k := len(n.Dimensions)
	return n.values[job*k : (job+1)*k]
}

// AreMet reports whether a node satisfies a job. The node has a quantity or the index of a category
// in each dimension.
func (n *Needs) AreMet(job int, node []int32) bool {
	for k, need := range n.Of(job) {
		switch {
		case need == 0:
		case n.Dimensions[k].Categories == nil:
			if node[k] < need {
				return false
			}
		case need>>node[k]&1 == 0:
			return false
		}
	}
	return true
}
