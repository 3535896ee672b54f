package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

// everyCommand calls a function for each command and topic of the program.
func everyCommand(t *testing.T, f func(path []string, c *cobra.Command)) {
	tl := &tool{
		models: catalog.All, scenarios: scenarios.All, args: []string{"grid"},
		stdin: strings.NewReader(""), stdout: cli.NewOutput(io.Discard), stderr: cli.NewMessages(io.Discard),
	}
	count := 0
	var visit func(c *cobra.Command, path []string)
	visit = func(c *cobra.Command, path []string) {
		count++
		f(path, c)
		for _, below := range c.Commands() {
			visit(below, append(path[:len(path):len(path)], below.Name()))
		}
	}
	visit(tl.root(), nil)
	if count < 55 {
		t.Errorf("the program has %d commands: this looks at too few of them", count)
	}
}

// TestHelpFits holds that help fits 80 columns, all of it.
func TestHelpFits(t *testing.T) {
	everyCommand(t, func(path []string, _ *cobra.Command) {
		var out bytes.Buffer
		code := run(catalog.All, scenarios.All, append([]string{"help"}, path...), strings.NewReader(""), &out, io.Discard)
		if code != cli.CodeOK {
			t.Errorf("help %v: exit code %d", path, code)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("help %v: %d columns: %s", path, n, line)
			}
		}
	})
}
