package jobs

import (
	"slices"
	"strconv"
	"strings"
)

// ArrayLimit is the largest number of elements of an array.
const ArrayLimit = 100_000

// Array is the indexes of a job that runs many times.
type Array struct {
	Ranges []Range `json:"ranges"`
	AtOnce int     `json:"at_once,omitempty"` // the limit at once; 0: as the grid has room
}

// Range is indexes from the first to the last.
type Range struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// ParseArray reads indexes as users write them: 0-99%10 or 1,5,7-9.
func ParseArray(text string) (*Array, error) {
	a := &Array{}
	ranges, atOnce, limited := strings.Cut(text, "%")
	if limited {
		n, err := strconv.Atoi(atOnce)
		if err != nil || n < 1 {
			return nil, keyf("array", "array %q: %q elements at once; want a number from 1", text, atOnce)
		}
		a.AtOnce = n
	}
	for word := range strings.SplitSeq(ranges, ",") {
		first, last, several := strings.Cut(word, "-")
		if !several {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 31)
		to, failed := strconv.ParseUint(last, 10, 31)
		if err != nil || failed != nil || to < from {
			return nil, keyf("array", "array: %q is no index and no range; want indexes such as 0-99 or 1,5,7-9", word)
		}
		a.Ranges = append(a.Ranges, Range{int(from), int(to)})
	}
	return a, a.check()
}

// String writes the indexes as ParseArray reads them.
func (a *Array) String() string {
	var words []string
	for _, r := range a.Ranges {
		word := strconv.Itoa(r.First)
		if r.Last > r.First {
			word += "-" + strconv.Itoa(r.Last)
		}
		words = append(words, word)
	}
	text := strings.Join(words, ",")
	if a.AtOnce > 0 {
		text += "%" + strconv.Itoa(a.AtOnce)
	}
	return text
}

// Size is how many elements there are.
func (a *Array) Size() (size int) {
	for _, r := range a.Ranges {
		size += r.Last - r.First + 1
	}
	return size
}

// All are the indexes, in the order of the ranges.
func (a *Array) All(yield func(index int) bool) {
	for _, r := range a.Ranges {
		for index := r.First; index <= r.Last; index++ {
			if !yield(index) {
				return
			}
		}
	}
}

// At is the index of the n-th element, from 0, if there is one.
func (a *Array) At(n int) (index int, is bool) {
	for _, r := range a.Ranges {
		size := r.Last - r.First + 1
		if n < size {
			return r.First + n, n >= 0
		}
		n -= size
	}
	return 0, false
}

// Has reports whether an index is one of the array.
func (a *Array) Has(index int) bool {
	return slices.ContainsFunc(a.Ranges, func(r Range) bool { return r.First <= index && index <= r.Last })
}

// Indexes is an array of some indexes, in order.
func Indexes(all []int, atOnce int) *Array {
	a := &Array{AtOnce: atOnce}
	for _, i := range slices.Sorted(slices.Values(all)) {
		if n := len(a.Ranges); n > 0 && a.Ranges[n-1].Last == i-1 {
			a.Ranges[n-1].Last = i
		} else {
			a.Ranges = append(a.Ranges, Range{i, i})
		}
	}
	return a
}

func (a *Array) check() error {
	if len(a.Ranges) == 0 || a.AtOnce < 0 {
		return keyf("array", "an array without indexes, or %d elements at once", a.AtOnce)
	}
	size := 0
	sorted := slices.SortedFunc(slices.Values(a.Ranges), func(x, y Range) int { return x.First - y.First })
	for i, r := range sorted {
		switch {
		case r.First < 0 || r.Last < r.First:
			return keyf("array", "an array of %d-%d; want indexes from 0, the smaller one first", r.First, r.Last)
		case i > 0 && r.First <= sorted[i-1].Last:
			return keyf("array", "an array with the index %d twice", r.First)
		}
		if size += r.Last - r.First + 1; size > ArrayLimit {
			return keyf("array", "an array of more than %d elements", ArrayLimit)
		}
	}
	return nil
}

func (s *Spec) checkArray() error {
	switch {
	case s.Index != nil:
		return specf("an index; only the elements of an array have one")
	case s.Array == nil:
		return nil
	case s.Stdin != "":
		return specf("standard input for an array; give its elements an input file")
	}
	return s.Array.check()
}

// element is the job of one index.
func (s Spec) element(index int) Spec {
	text := strconv.Itoa(index)
	s.Array, s.Deadline, s.Hold, s.Index = nil, 0, false, &index
	s.Command = slices.Clone(s.Command)
	for i, word := range s.Command {
		s.Command[i] = strings.ReplaceAll(word, "{index}", text)
	}
	return s
}

// ElementID names an element of an array.
func ElementID(id string, index int) string { return id + "[" + strconv.Itoa(index) + "]" }

// splitElement reads ID[7].
func splitElement(text string) (id string, index int, is bool) {
	id, rest, found := strings.Cut(text, "[")
	digits, closed := strings.CutSuffix(rest, "]")
	index, err := strconv.Atoi(digits)
	return id, index, found && closed && err == nil && strconv.Itoa(index) == digits
}
