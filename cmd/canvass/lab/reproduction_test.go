package lab_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	command "github.com/canvass-grid/canvass/cmd/canvass/lab"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

const page = "../../../docs/reproduction.md"

// canvass runs "canvass lab" with arguments and returns what it prints.
func canvass(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	c := command.Command(command.Env{
		Named: true,
		Stdin: strings.NewReader(""), Stdout: cli.NewOutput(&out), Stderr: cli.NewMessages(io.Discard),
		Build: cli.Build{Commit: "test"},
	})
	c.SetArgs(args)
	require.NoError(t, c.Execute(), out.String())
	return out.String()
}

// commit is that of the rows of a section: rows that a test makes have no commit.
var commit = regexp.MustCompile(` # commit .*`)

// sections are the parts of the page, by their titles.
func sections(text string) map[string]string {
	parts := map[string]string{}
	for _, part := range strings.Split(text, "\n## ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		parts[title] = commit.ReplaceAllString(strings.TrimSpace(body), "")
	}
	return parts
}

// The page equals the output of its generator for rows that are made now. Experiments on logs need
// the folder of logs.
func TestThePageIsThatOfTheGenerator(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	published := sections(string(text))
	for _, c := range []struct {
		name string
		logs bool
	}{{"central/order", false}, {"central/references", true}, {"central/intense", true}} {
		t.Run(c.name, func(t *testing.T) {
			if c.logs && os.Getenv("CANVASS_DATA") == "" {
				t.Skip("CANVASS_DATA does not name a folder of logs")
			}
			folder := t.TempDir()
			e, err := experiment.Choose([]string{c.name})
			require.NoError(t, err)
			seeds, err := lab.Seeds("10")
			require.NoError(t, err)
			runs, err := e[0].Runs("ci", seeds)
			require.NoError(t, err)
			rows, err := lab.OpenRows(folder)
			require.NoError(t, err)
			campaign := lab.Campaign{Lab: &lab.Lab{Data: os.Getenv("CANVASS_DATA")}, Rows: rows,
				Workers: 2}
			_, err = campaign.Do(context.Background(), runs)
			require.NoError(t, err)
			require.NoError(t, rows.Close())
			made := sections(canvass(t, "verify", folder, "--markdown"))
			assert.Equal(t, made[c.name], published[c.name], "make the rows of the page again, and then the page")
		})
	}
}

// A claim on the page is a claim that the experiment has today.
func TestClaimsOfThePageAreThoseOfExperiments(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	parts := sections(string(text))
	assert.NotEmpty(t, parts["Not reproduced"])
	for _, e := range experiment.All() {
		section, run := parts[e.Name]
		if !run {
			continue
		}
		claims := map[string]bool{}
		for _, c := range e.Claims {
			claims[c.Text+" | "+c.Published.String()] = true
		}
		_, table, made := strings.Cut(section, "|---|---|---|---|---|---|\n")
		require.True(t, made, "%s has no table of claims; write the page again", e.Name)
		for line := range strings.Lines(table) {
			cells := strings.Split(strings.Trim(line, "| \n"), " | ")
			require.GreaterOrEqual(t, len(cells), 5, line)
			assert.True(t, claims[cells[0]+" | "+cells[1]], "%s has no claim %q", e.Name, line)
		}
	}
}
