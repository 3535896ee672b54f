package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/model/reading"
)

// choose returns the models whose names match any of the patterns, in the order of the catalog. A
// pattern with * or ? must match the whole name; the full name of a model matches only that model;
// any other pattern matches a part of a name. Deep models are included if deep is set or a pattern
// is their full name. Without patterns all are chosen. LeftOut is how many deep models match a
// pattern and are not chosen.
func choose(all []model.Checkable, patterns []string, deep bool) (models []model.Checkable, leftOut int, err error) {
	if slices.Contains(patterns, "") {
		return nil, 0, verdict.ErrEmptyPattern
	}
	chosen, deeper := map[string]bool{}, map[string]bool{}
	all, err = withInterpreted(all, patterns)
	if err != nil {
		return nil, 0, err
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
			return nil, 0, cli.Usagef("%q matches only models that are too large for the default run; add --deep", p)
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

// withInterpreted adds the models that patterns name and the list does not have: published ones in
// an interpretation of their own. A pattern with the parts of a name in another order becomes that
// name.
func withInterpreted(all []model.Checkable, patterns []string) ([]model.Checkable, error) {
	for i, p := range patterns {
		if !strings.Contains(p, "@") || strings.ContainsAny(p, "*?") {
			continue
		}
		m, err := Named(all, p)
		if errors.Is(err, reading.ErrReading) {
			return nil, err
		}
		if err != nil {
			continue // the pattern is a part of names, or fits none
		}
		patterns[i] = m.Info().Name
		if listed(all, patterns[i]) == nil {
			all = append(slices.Clip(all), m)
		}
	}
	return all, nil
}

func fitter(pattern string, all []model.Checkable) func(string) bool {
	if _, err := Named(all, pattern); err == nil {
		return func(name string) bool { return name == pattern }
	}
	return func(name string) bool { return verdict.Matches(pattern, name) }
}

// Named returns the model of exactly this name, a published one in any interpretation.
func Named(all []model.Checkable, name string) (model.Checkable, error) {
	if m := listed(all, name); m != nil {
		return m, nil
	}
	if now := catalog.CurrentName(name); now == name {
		m, err := catalog.Interpreted(name)
		if err != nil {
			return nil, cli.WithCode(cli.CodeUsage, fmt.Errorf("%s: %w", name, err))
		}
		if m != nil {
			return cmp.Or(listed(all, m.Info().Name), m), nil
		}
	}
	return nil, unknownModel(
		all,
		name,
		"\"canvass models\" lists them; replay a trace of your own model with traces.Replay on its machine",
	)
}

func listed(all []model.Checkable, name string) model.Checkable {
	for _, m := range all {
		if m.Info().Name == name {
			return m
		}
	}
	return nil
}

func unknownModel(all []model.Checkable, name, otherwise string) error {
	if now := catalog.CurrentName(name); now != name {
		return cli.Usagef("%q is called %q now", name, now)
	}
	return cli.Usagef("there is no model %q; %s", name, verdict.Meant(name, modelNames(all), otherwise))
}

func modelNames(all []model.Checkable) []string {
	var names []string
	for _, m := range all {
		names = append(names, m.Info().Name)
	}
	return names
}
