package check

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
)

// github writes for GitHub Actions: an annotation for each model whose verdict is not the expected
// one, and a summary of the job. Annotations go to standard error, which the runner reads too, so
// that standard output stays the same.
type github struct {
	w    io.Writer
	path string // of the summary; "" if the runner wants none
}

func (g *github) result(r *result) error {
	if r.isAsExpected() {
		return nil
	}
	text := strings.Join(r.notes(), "; ")
	if text == "" {
		text = r.label()
	}
	_, err := fmt.Fprintf(g.w, "::error title=%s::%s\n", property.Replace("canvass: "+r.info.Name),
		message.Replace(text))
	return err
}

// The characters that the runner's commands need escaped.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func (g *github) end(all []*result) error {
	if g.path == "" {
		return nil
	}
	file, err := os.OpenFile(g.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	if _, err := io.WriteString(file, markdown(all)); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

func markdown(all []*result) string {
	var b strings.Builder
	b.WriteString(
		"## canvass check\n\n| verdict | model | bounds | faults | states | seconds | " +
			"|\n|---|---|---|---|--:|--:|---|\n",
	)
	for _, r := range all {
		states, time := "", ""
		if r.report != nil {
			states, time = english.Grouped(r.report.States), fmt.Sprintf("%.2f", r.report.Elapsed.Seconds())
		}
		cells := []string{
			r.label(),
			r.info.Name,
			r.info.Bounds,
			r.info.Budget.String(),
			states,
			time,
			strings.Join(r.notes(), "; "),
		}
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", "\\|")
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	b.WriteString("\n" + summary(all) + "\n")
	return b.String()
}
