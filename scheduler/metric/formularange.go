package metric

import (
	"math"
	"strings"
)

// possible is a range that has all values that a term can have. It may be too wide.
func (t *term) possible() Range {
	switch t.kind {
	case constant:
		return Range{t.number, t.number}
	case field:
		if strings.Contains(t.name, "bsld") || t.name == "sjackson" {
			return AtLeast1
		}
		return AtLeast0
	case statistic:
		return t.possibleStatistic()
	}
	a := t.parts[0].possible()
	if len(t.parts) == 1 {
		switch t.name {
		case negative:
			return Range{-a.High, -a.Low}
		case "exp":
			return AtLeast0
		}
		return AnyNumber
	}
	for _, x := range t.parts[1:] {
		a = combined(t.name, a, x.possible())
	}
	return a
}

// possibleStatistic is the range of a statistic.
func (t *term) possibleStatistic() Range {
	switch t.name {
	case "share":
		return Share
	case "count", "sd":
		return AtLeast0
	}
	of := t.parts[0].possible()
	if t.name != "sum" {
		return of
	}
	if of.Low >= 0 {
		return AtLeast0
	}
	return AnyNumber
}

// combined is the range of an operator of two terms.
func combined(operator string, a, b Range) Range {
	r := AnyNumber
	switch operator {
	case "+":
		r = Range{a.Low + b.Low, a.High + b.High}
	case "-":
		r = Range{a.Low - b.High, a.High - b.Low}
	case "*", "/":
		if a.Low >= 0 && b.Low >= 0 {
			r = AtLeast0
		}
	case "min":
		r = Range{min(a.Low, b.Low), min(a.High, b.High)}
	case "max":
		r = Range{max(a.Low, b.Low), max(a.High, b.High)}
	}
	if math.IsNaN(r.Low) || math.IsNaN(r.High) { // of infinite ends
		return AnyNumber
	}
	return r
}
