package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// checked is the results of a check of the models of one protocol.
type checked struct {
	Models     int            `json:"models"`
	Failing    int            `json:"failing_as_expected"`
	States     uint64         `json:"states"`
	Nodes      int            `json:"nodes"`      // of the largest model
	Faults     map[string]int `json:"faults"`     // the largest budget of each kind
	Properties int            `json:"properties"` // by name
	Untested   int            `json:"untested"`   // by name: no state of any model puts them to the test
}

// checkLine is the part of a line of "canvass check --json" that the table needs.
type checkLine struct {
	Model      string         `json:"model"`
	AsExpected bool           `json:"as_expected"`
	Verdict    string         `json:"verdict"`
	Nodes      int            `json:"nodes"`
	States     uint64         `json:"states"`
	Faults     map[string]any `json:"faults"`
	Properties []struct {
		Name  string `json:"name"`
		Cases uint64 `json:"cases"`
	} `json:"properties"`
}

// readCheck sums up the lines of "canvass check --json", by protocol.
func readCheck(from io.Reader) (map[string]checked, error) {
	all := map[string]checked{}
	cases := map[string]map[string]uint64{}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l checkLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("the report of the check: %w", err)
		}
		if !l.AsExpected {
			return nil, fmt.Errorf("the report of the check: %s is not as expected; mend that first", l.Model)
		}
		name := protocolOf(l.Model)
		c := all[name]
		c.add(&l)
		if cases[name] == nil {
			cases[name] = map[string]uint64{}
		}
		for _, p := range l.Properties {
			cases[name][p.Name] += p.Cases
		}
		c.Properties, c.Untested = len(cases[name]), 0
		for _, n := range cases[name] {
			if n == 0 {
				c.Untested++
			}
		}
		all[name] = c
	}
	return all, lines.Err()
}

func (c *checked) add(l *checkLine) {
	c.Models++
	c.States += l.States
	c.Nodes = max(c.Nodes, l.Nodes)
	if l.Verdict == "violated" {
		c.Failing++
	}
	if c.Faults == nil {
		c.Faults = map[string]int{}
	}
	for kind, budget := range l.Faults {
		switch n := budget.(type) {
		case float64:
			c.Faults[kind] = max(c.Faults[kind], int(n))
		case bool:
			if n {
				c.Faults[kind] = max(c.Faults[kind], 1)
			}
		}
	}
}

// protocolOf is the protocol that a model or a scenario is of: published ones by their own names.
func protocolOf(model string) string {
	if rest, published := strings.CutPrefix(model, "published/"); published {
		return "published/" + protocolOf(rest)
	}
	name, _, _ := strings.Cut(model, "/")
	return name
}

func checkedFile(root string) string {
	return filepath.Join(root, "internal", "release", "check.json")
}

func readChecked(root string) (map[string]checked, error) {
	text, err := os.ReadFile(checkedFile(root))
	if err != nil {
		return nil, fmt.Errorf("%w; make tables WHAT=assurance writes it", err)
	}
	var all map[string]checked
	return all, json.Unmarshal(text, &all)
}

func writeChecked(root string, all map[string]checked) error {
	text, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(checkedFile(root), append(text, '\n'), 0o644)
}
