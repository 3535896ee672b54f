package placement

import (
	"cmp"
	"slices"
)

// Jobs is a list of jobs, sorted by number and kept in parts. A node may have thousands of jobs, so
// states share the parts that no step between them has changed.
type Jobs [][]Job

// partMost is the number of jobs in a part at most.
const partMost = 64

// ListOf returns a list of jobs, which are sorted by number.
func ListOf(jobs ...Job) (l Jobs) {
	for part := range slices.Chunk(jobs, partMost) {
		l = append(l, slices.Clone(part))
	}
	return l
}

// All returns the jobs in order. They must not be modified.
func (l Jobs) All() func(yield func(*Job) bool) {
	return func(yield func(*Job) bool) {
		for _, part := range l {
			for i := range part {
				if !yield(&part[i]) {
					return
				}
			}
		}
	}
}

// Len counts the jobs.
func (l Jobs) Len() (count int) {
	for _, part := range l {
		count += len(part)
	}
	return count
}

// find returns where a job is or belongs: its part, and its place there.
func (l Jobs) find(number uint32) (part, i int, found bool) {
	part, found = slices.BinarySearchFunc(l, number, func(p []Job, n uint32) int { return cmp.Compare(p[0].Number, n) })
	if found || part == 0 {
		return part, 0, found
	}
	part--
	i, found = slices.BinarySearchFunc(l[part], number, func(j Job, n uint32) int { return cmp.Compare(j.Number, n) })
	return part, i, found
}

// The following functions change the list, but not the parts of another one.

// own returns a job that may be modified, until the next call.
func (l Jobs) own(part, i int) *Job {
	l[part] = slices.Clone(l[part])
	return &l[part][i]
}

// insert puts a new job into its place.
func (l Jobs) insert(part, i int, j Job) Jobs {
	if part == len(l) {
		return append(l, []Job{j})
	}
	longer := slices.Insert(slices.Clip(l[part]), i, j)
	if len(longer) <= partMost {
		l[part] = longer
		return l
	}
	l[part] = longer[:partMost/2]
	return slices.Insert(l, part+1, longer[partMost/2:])
}

// remove takes a job out.
func (l Jobs) remove(part, i int) Jobs {
	if len(l[part]) == 1 {
		return slices.Delete(l, part, part+1)
	}
	l[part] = slices.Delete(slices.Clone(l[part]), i, i+1)
	return l
}
