package experiment

import "fmt"

// Verdict says whether a claim was confirmed.
type Verdict string

// The verdicts.
const (
	Reproduced   Verdict = "reproduced"
	Deviates     Verdict = "deviates"
	Undetermined Verdict = "undetermined"
	CannotTell   Verdict = "cannot tell"
	Unchanged    Verdict = "regression: unchanged"
	Changed      Verdict = "regression: changed"
	None         Verdict = "none"
)

// Meaning explains a verdict.
type Meaning struct {
	Verdict Verdict
	Sign    string // a character that stands for it in tables
	Meaning string
}

// Verdicts explains all verdicts, in the order in which they are counted.
func Verdicts() []Meaning {
	return []Meaning{
		{Reproduced, "✓", "the whole 95 % interval is where the source has it"},
		{Deviates, "✗", "the whole interval is elsewhere"},
		{Undetermined, "?", fmt.Sprintf("the interval is on both sides of the bound, or there are fewer than %d seeds, or "+
			"no runs", FewestSeeds)},
		{CannotTell, "=", "the claim could not fail: no run could come out otherwise, or all pairs of runs are equal"},
		{Unchanged, "✓", "a number of an earlier version of this program, not of a source, is as it was"},
		{Changed, "✗", "such a number is another one now"},
		{None, "", "nothing is published to compare with; the numbers are there to be seen"},
	}
}

// Sign is the character that stands for a verdict in tables.
func (v Verdict) Sign() string {
	for _, m := range Verdicts() {
		if m.Verdict == v {
			return m.Sign
		}
	}
	return ""
}

// IsFailure reports whether a claim was judged and failed.
func (v Verdict) IsFailure() bool { return v == Deviates || v == Changed }

// IsOpen reports whether runs did not decide a claim.
func (v Verdict) IsOpen() bool { return v == Undetermined || v == CannotTell }

// outside is the probability that a 95 % interval is wholly above the true value, and that it is
// wholly below.
const outside = 0.025

// ByChance says how many claims would deviate by chance alone.
func ByChance(judged []Judgement) string {
	claims, steps, deviate := 0, 0, 0
	expected := 0.0
	for _, j := range judged {
		if !j.Chance || j.Verdict != Reproduced && j.Verdict != Deviates && j.Verdict != Undetermined {
			continue
		}
		claims, steps = claims+1, steps+len(j.Estimates)
		expected += outside * float64(len(j.Estimates))
		if j.Exact {
			expected += outside * float64(len(j.Estimates))
		}
		if j.Verdict == Deviates {
			deviate++
		}
	}
	return fmt.Sprintf("%d of the claims rest on %d intervals of 95 %%, and %d of them deviate. If all of them were "+
		"true, and each number lay on the very bound of its claim, %.1f would still be expected to deviate by chance: "+
		"one interval in forty is wholly beyond a bound, and one in twenty misses a number. This expectation needs no "+
		"independence. Its spread does: claims that share runs or workloads deviate together, so a number twice as large "+
		"proves less than it seems to.", claims, steps, deviate, expected)
}
