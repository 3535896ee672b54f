package main

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
)

// errEmptyPattern is about an empty argument, such as an unset variable of a shell.
var errEmptyPattern = usagef("a pattern is empty; leave it out to mean all")

// choose returns the models whose names match any of the patterns, in the order of the catalog. A
// pattern with * or ? must match the whole name; the full name of a model means that model alone;
// any other pattern matches a part of a name. Deep models are included if deep is set or a pattern
// is their full name. Without patterns all are chosen. LeftOut is how many deep models match a
// pattern and are not chosen.
func choose(all []model.Checkable, patterns []string, deep bool) (models []model.Checkable, leftOut int, err error) {
	chosen, deeper := map[string]bool{}, map[string]bool{}
	if slices.Contains(patterns, "") {
		return nil, 0, errEmptyPattern
	}
	for _, p := range patterns {
		fits, found, tooDeep := fitter(p, all), 0, 0
		for _, m := range all {
			info := m.Info()
			switch {
			case !fits(info.Name):
			case info.Deep && !deep && info.Name != p:
				tooDeep++
				deeper[info.Name] = true
			default:
				found++
				chosen[info.Name] = true
			}
		}
		if found == 0 && tooDeep > 0 {
			return nil, 0, usagef("%q matches only models that are too large for the default run; add --deep", p)
		}
		if found == 0 {
			return nil, 0, unknownModel(all, p, "\"canvass models\" lists them")
		}
	}
	for _, m := range all {
		if info := m.Info(); chosen[info.Name] || len(patterns) == 0 && (deep || !info.Deep) {
			models = append(models, m)
		} else if deeper[info.Name] {
			leftOut++
		}
	}
	return models, leftOut, nil
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
