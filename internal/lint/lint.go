package lint

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
)

// Finding is one breach of a rule.
type Finding struct {
	Path string // slash-separated, from the root of the repository
	Line int
	Kind string // rule/kind, as the rule lists it
	Text string // the problem; the remedy
}

// String writes the finding in the form that editors jump to.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s [%s]", f.Path, f.Line, f.Text, f.Kind)
}

// Rule is one rule of the repository.
type Rule struct {
	Name  string
	Kinds []string // every kind of finding that it can report, without the rule's name
	Check func(*Tree, House) []Finding
}

// Rules lists the rules of the repository.
func Rules() []Rule {
	return []Rule{
		{"purity", purityKinds, checkPurity},
		{"integers", []string{"float"}, checkIntegers},
		{"arrows", []string{"folder", "import", "support"}, checkArrows},
		{"alias", []string{"name"}, checkAlias},
		{"docs", []string{"missing", "comment", "first", "guarantees", "assumptions", "example"}, checkDocs},
		{"length", []string{"file", "func", "package", "methods", "fields", "stale"}, checkLength},
		{"notes", []string{"issue"}, checkNotes},
		{"machine", []string{"folder", "scratch", "host", "outside"}, checkMachine},
		{"corpus", []string{"json"}, checkCorpus},
		{"make", []string{"target"}, checkMake},
		{"width", []string{"comment", "code", "markdown"}, checkWidth},
		{"words", []string{"refused"}, checkWords},
		{"prose", []string{"share", "stale"}, checkProse},
		{"diagram", []string{"arrow"}, checkDiagram},
		{"selection", []string{"row"}, checkSelection},
		{"files", filesKinds, checkFiles},
		{"once", onceKinds, checkOnce},
	}
}

// report collects findings. Two equal ones on a line are reported once.
type report struct {
	tree     *Tree
	findings []Finding
}

func (r *report) add(path string, line int, kind, text string) {
	r.findings = append(r.findings, Finding{Path: path, Line: line, Kind: kind, Text: text})
}

func (r *report) addAt(pos token.Pos, kind, text string) {
	p := r.tree.position(pos)
	r.add(p.Filename, p.Line, kind, text)
}

// done returns the findings in the order of path, line, kind and text.
func (r *report) done() []Finding {
	slices.SortFunc(r.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(r.findings)
}
