package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/program"
)

// Cell is one way to run a workload, as text: the values of those settings that it was given. The
// others have their defaults. The seed is apart. A run reads each text once, into types.
type Cell struct{ given map[string]string } // never changed in place, so that cells can be copied

// MustCell makes a cell of settings, as NAME=VALUE. It panics if one is unknown.
func MustCell(settings ...string) Cell { return Cell{}.With(settings...) }

// With returns the cell with further settings, as NAME=VALUE; NAME= is the default. It panics if
// one is unknown or has an invalid value.
func (c Cell) With(settings ...string) Cell {
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		if err := c.set(name, value); err != nil {
			panic(fmt.Sprintf("lab: %v", err))
		}
	}
	return c
}

// Set gives a setting a value. It refuses an invalid value even if no run of the cell would use it,
// and an empty value if the setting has a default. A log is a workload by its format and name
// (swf:FILE), or by its name alone if it ends as files of a format do. A policy that is a program
// gets the digest of the program.
func (c *Cell) Set(name, value string) error {
	if d := known.defaults[name]; value == "" && d != "" {
		return usage.Errorf("%s is empty; leave it out for %s, the default", name, d)
	}
	return c.set(name, value)
}

// set is like Set, but an empty value stands for the default.
func (c *Cell) set(name, value string) error {
	setting, err := known.setting(name)
	if err != nil {
		return err
	}
	if value != "" {
		err = check(&setting, value)
	}
	if err != nil {
		return err
	}
	if format, path, isLog := logOf(value); name == "workload" && isLog {
		value = format + ":" + path
	}
	if name == "policy" && value != "" {
		if value, err = program.Resolve(value); err != nil {
			return err
		}
		if _, _, err = known.policy(value); err != nil {
			return err
		}
	}
	c.given = maps.Clone(c.given)
	if c.given == nil {
		c.given = map[string]string{}
	}
	c.given[name] = value
	return nil
}

// check refuses a value that is invalid for a setting.
func check(s *scheduler.Setting, value string) error {
	switch {
	case s.Values != nil && !slices.Contains(s.Values, value):
		return usage.Errorf("%s is %q: use %s", s.Name, value, choice(s.Values))
	case s.Check != nil:
		return asUsage(s.Check(value))
	}
	return nil
}

// Given returns the value that the cell was given for a setting; "" if it has its default.
func (c Cell) Given(name string) string { return c.given[name] }

// Get returns the value of a setting, or its default; "" if there is no such setting.
func (c Cell) Get(name string) string {
	if v := c.given[name]; v != "" {
		return v
	}
	return known.defaults[name]
}

// String lists the settings that differ from their defaults. It identifies the cell.
func (c Cell) String() string {
	var all []string
	for _, s := range known.settings {
		if v := c.Get(s.Name); v != s.Default {
			all = append(all, s.Name+"="+v)
		}
	}
	return strings.Join(all, " ")
}

// MarshalJSON writes all settings, with their defaults.
func (c Cell) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	text := json.NewEncoder(&b)
	text.SetEscapeHTML(false)
	for i, s := range known.inRows {
		v := c.Get(s.Name)
		if v == "" && s.Name == "predict" {
			continue // most cells run jobs
		}
		b.WriteByte("{,"[min(i, 1)])
		if err := text.Encode(inRow(s.Name)); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := text.Encode(v); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads settings, and refuses unknown ones.
func (c *Cell) UnmarshalJSON(text []byte) error {
	var all map[string]string
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	c.given = make(map[string]string, len(all))
	for name, value := range all {
		s, there := known.named[name]
		if !there {
			return fmt.Errorf("json: unknown field %q", name)
		}
		if value != "" {
			c.given[s] = value
		}
	}
	return nil
}

// resolved returns the cell with all defaults filled in.
func (c Cell) resolved() Cell {
	given := make(map[string]string, len(known.settings))
	for _, s := range known.settings {
		if v := c.Get(s.Name); v != "" {
			given[s.Name] = v
		}
	}
	return Cell{given}
}

// inRow is the name of a setting in rows.
func inRow(name string) string { return strings.ReplaceAll(name, "-", "_") }

// Settings lists the settings of a cell, in the order of help and of keys.
func Settings() []scheduler.Setting { return known.settings }

// Meant ends an error about an unknown name: with the names that were probably meant, or with all.
func Meant(name string, all []string) string { return usage.Question(usage.Nearest(name, all), all) }
