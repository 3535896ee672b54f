package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
)

// readLines returns the lines of a file; none if it does not exist.
func readLines(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return strings.Split(string(text), "\n"), err
}

// twins describes the specifications of a protocol in other languages: those of spec/NAME.
func twins(root, name string) (string, error) {
	folder := filepath.Join(root, "spec", name)
	models, err := filepath.Glob(filepath.Join(folder, "*.pml"))
	if err != nil {
		return "", err
	}
	mutants, err := readLines(filepath.Join(folder, "mutants.txt"))
	if err != nil {
		return "", err
	}
	found, err := readLines(filepath.Join(folder, "tlc.txt"))
	if err != nil {
		return "", err
	}
	var all []string
	if len(models) > 0 {
		fails := countLines(mutants, func(l string) bool { return strings.HasPrefix(l, "fails ") })
		all = append(all, fmt.Sprintf("Promela: %s, %s caught",
			english.Count(len(models), "model"), english.Count(fails, "mutant")))
	}
	if len(found) > 0 {
		checked := countLines(found, func(l string) bool { return strings.Contains(l, " no violation;") })
		all = append(all, fmt.Sprintf("TLA+: %s", english.Count(checked, "configuration")))
	}
	return strings.Join(all, "; "), nil
}

func countLines(lines []string, wanted func(string) bool) int {
	n := 0
	for _, l := range lines {
		if wanted(l) {
			n++
		}
	}
	return n
}

var theorem = regexp.MustCompile(`^(Theorem|Lemma|Corollary|Fact|Remark|Proposition) `)

// theorems counts what is proved in a folder of proofs.
func theorems(root, folder string) (int, error) {
	files, err := filepath.Glob(filepath.Join(root, "proofs", folder, "*.v"))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, file := range files {
		lines, err := readLines(file)
		if err != nil {
			return 0, err
		}
		n += countLines(lines, theorem.MatchString)
	}
	return n, nil
}
