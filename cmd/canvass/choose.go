package main

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
)

// errEmptyPattern is about an empty argument, such as an unset variable of a shell.
var errEmptyPattern = usagef("a pattern is empty; leave it out to mean all")

// choose returns the models whose names match any of the patterns, in the order of the catalog. A
// pattern with * or ? must match the whole name; the full name of a model means that model alone;
// any other pattern matches a part of a name. Deep models are included if deep is set or a pattern
// is their full name. Without patterns all are chosen.
func choose(all []model.Checkable, patterns []string, deep bool) ([]model.Checkable, error) {
	chosen := map[string]bool{}
	if slices.Contains(patterns, "") {
		return nil, errEmptyPattern
	}
	for _, p := range patterns {
		fits, found, tooDeep := fitter(p, all), 0, 0
		for _, m := range all {
			info := m.Info()
			switch {
			case !fits(info.Name):
			case info.Deep && !deep && info.Name != p:
				tooDeep++
			default:
				found++
				chosen[info.Name] = true
			}
		}
		if found == 0 && tooDeep > 0 {
			return nil, usagef("%q matches only models that are too large for the default run; add --deep", p)
		}
		if found == 0 {
			return nil, unknownModel(all, p, "\"canvass models\" lists them")
		}
	}
	var models []model.Checkable
	for _, m := range all {
		if info := m.Info(); chosen[info.Name] || len(patterns) == 0 && (deep || !info.Deep) {
			models = append(models, m)
		}
	}
	return models, nil
}

func fitter(pattern string, all []model.Checkable) func(string) bool {
	if _, err := named(all, pattern); err == nil {
		return func(name string) bool { return name == pattern }
	}
	return func(name string) bool { return matches(pattern, name) }
}

// named returns the model of exactly this name.
func named(all []model.Checkable, name string) (model.Checkable, error) {
	for _, m := range all {
		if m.Info().Name == name {
			return m, nil
		}
	}
	return nil, unknownModel(
		all,
		name,
		"\"canvass models\" lists them; replay a trace of your own model with traces.Replay on its machine",
	)
}

func unknownModel(all []model.Checkable, name, otherwise string) error {
	if now := catalog.CurrentName(name); now != name {
		return usagef("%q is called %q now", name, now)
	}
	return usagef("there is no model %q; %s", name, meant(name, modelNames(all), otherwise))
}

func modelNames(all []model.Checkable) []string {
	var names []string
	for _, m := range all {
		names = append(names, m.Info().Name)
	}
	return names
}

// meant proposes the candidate that was probably meant, or else another remedy.
func meant(word string, candidates []string, otherwise string) string {
	best, least := "", 1+max(2, len(word)/3)
	for _, c := range candidates {
		d := distance(word, c)
		if _, last, ok := strings.Cut(c, "/"); ok {
			d = min(d, 1+distance(word, last)) // of two that are as near, the one that is written like the word
		}
		if d < least {
			best, least = c, d
		}
	}
	if best == "" {
		return otherwise
	}
	return "did you mean \"" + best + "\"?"
}

// distance counts the letters to insert, delete or replace to get from one word to another
// (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
