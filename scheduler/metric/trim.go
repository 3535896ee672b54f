package metric

import (
	"fmt"
	"strconv"
	"strings"
)

// TrimError says that a text is no trimming.
type TrimError struct{ Trim string }

// Error names the text and the allowed values.
func (e *TrimError) Error() string {
	return fmt.Sprintf("trim is %q; use none, standard, or a:b, "+
		"two whole percentages from 0 to 99 with a sum of at most 99, such as 5:5", e.Trim)
}

// trim says which jobs are left out: of the first and the last to end some percent, and perhaps
// jobs that end after the last submission.
type trim struct {
	first, last int64 // percent
	cooldown    bool
}

const standardPercent = 1

func parseTrim(text string) (trim, error) {
	switch text {
	case "", "none":
		return trim{}, nil
	case "standard":
		return trim{first: standardPercent, cooldown: true}, nil
	}
	left, right, _ := strings.Cut(text, ":")
	first, errFirst := strconv.ParseUint(left, 10, 31)
	last, errLast := strconv.ParseUint(right, 10, 31)
	if errFirst != nil || errLast != nil || first+last > 99 {
		return trim{}, &TrimError{text}
	}
	return trim{first: int64(first), last: int64(last)}, nil
}

// CheckTrim returns a [TrimError] for a text that is not a trimming.
func CheckTrim(text string) error {
	_, err := parseTrim(text)
	return err
}

// String is the text that gives this trimming.
func (t trim) String() string {
	switch {
	case t.cooldown:
		return "standard"
	case t == trim{}:
		return "none"
	}
	return fmt.Sprintf("%d:%d", t.first, t.last)
}

// keep returns the jobs that are counted, by index.
func (t trim) keep(r *run) []job {
	n := int64(len(r.jobs))
	out := make([]bool, n)
	for rank, i := range r.byEnd {
		early, late := int64(rank) < n*t.first/100, int64(rank) >= n-n*t.last/100
		out[i] = early || late || t.cooldown && r.jobs[i].end > r.last
	}
	kept := make([]job, 0, n)
	for i, j := range r.jobs {
		if !out[i] {
			kept = append(kept, j)
		}
	}
	return kept
}
