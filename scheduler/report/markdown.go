package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// head begins the page of reproductions.
var head = []string{
	"Results about scheduling, published or known from other simulators, beside those of Canvass. This page is " +
		"generated: each section says how to make its rows again, and `canvass lab verify FOLDER… --markdown` writes the " +
		"page from them. Each section names its source: a dissertation, theory, or an independent simulator. " +
		"[The scheduling laboratory](scheduling.md#claims-and-verdicts) explains how claims are judged.",
	"The verdict is about the statement of the source, which is quoted in its own words if it has any. *Our band* is " +
		"a range of our own, which the source does not state: it was set after trials, and proves little. Found is an " +
		"estimate with its 95 % interval, and *over* names the draws that this interval is over: they differed from seed " +
		"to seed. Workloads that are windows of a log, or shaken, stand for that log, and for no other. If two numbers " +
		"are compared, they are geometric means over seeds, and their ratio is the geometric mean of the ratios by seed.",
}

// logsFrom and standIns describe the inputs of experiments, and their purpose.
const (
	logsFrom = "Logs are files of the Parallel Workloads Archive, in the folder that CANVASS_DATA names. "
	standIns = "Jackson's own jobs, those of SHARCNET, are not public, and neither are the latencies that he measured " +
		"at UMIACS. Three inputs stand in for SHARCNET's jobs. T is a period of 1,000 consecutive jobs, which each seed " +
		"draws from the densest 30,000 parallel jobs of LLNL Thunder, folded by two; their submissions are compressed " +
		"to 643 s. H is the same of HPC2N, without folding. G is drawn from the distributions that he shows. S is a " +
		"small G."
)

// short is as much of a commit as a reader needs.
func short(commit string) string { return commit[:min(12, len(commit))] }

// Markdown writes the page of reproductions from rows.
func Markdown(w io.Writer, chosen []*experiment.Experiment, rows []*lab.Row) error {
	var sections strings.Builder
	var judged []experiment.Judgement
	for _, e := range chosen {
		own := slices.DeleteFunc(slices.Clone(rows), func(r *lab.Row) bool { return r.Experiment != e.Name })
		judged = append(judged, markdownSection(&sections, e, own)...)
	}
	fmt.Fprint(w, "# Reproduction\n")
	for _, paragraph := range append(head, logsFrom+standIns) {
		fmt.Fprint(w, "\n"+Wrapped("", paragraph))
	}
	fmt.Fprint(w, "\n| verdict | claims | meaning |\n|---|---|---|\n")
	for _, v := range experiment.Verdicts() {
		if n := count(judged, v.Verdict); n > 0 {
			fmt.Fprintf(w, "| %s | %d | %s |\n", v.Verdict, n, v.Meaning)
		}
	}
	fmt.Fprint(w, "\n"+Wrapped("", experiment.ByChance(judged))+sections.String())
	var failed []string
	for _, j := range judged {
		if j.Verdict.IsFailure() || j.Verdict.IsOpen() {
			failed = append(failed, fmt.Sprintf("`%s`, %s: %s. Published: %s. Found: %s.", j.Experiment, j.Claim, j.Verdict,
				j.Published, j.Found))
		}
	}
	fmt.Fprint(w, "\n## Not reproduced\n\n")
	if len(failed) == 0 {
		failed = []string{"Nothing: every claim that was judged is reproduced."}
	}
	for _, f := range failed {
		fmt.Fprint(w, Wrapped("- ", f))
	}
	markdownNotRun(w, rows)
	return nil
}

// count counts the claims with a verdict.
func count(judged []experiment.Judgement, v experiment.Verdict) (n int) {
	for _, j := range judged {
		if j.Verdict == v {
			n++
		}
	}
	return n
}

// markdownNotRun lists the experiments without rows: their results are unknown.
func markdownNotRun(w io.Writer, rows []*lab.Row) {
	var names []string
	for _, e := range experiment.All() {
		if !e.Has(rows) {
			names = append(names, "`"+e.Name+"`")
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "\n## Not run\n\n`canvass lab list NAME` shows what each is about.\n\n%s",
			Wrapped("", "These experiments were not run for this page: "+strings.Join(names, ", ")+"."))
	}
}

// markdownSection writes what became of an experiment, and returns its claims.
func markdownSection(w io.Writer, e *experiment.Experiment, rows []*lab.Row) (judged []experiment.Judgement) {
	fmt.Fprintf(w, "\n## %s\n\n", e.Name)
	fmt.Fprint(w, Wrapped("", fmt.Sprintf("%s%s. Source: %s.", strings.ToUpper(e.Doc[:1]), e.Doc[1:], e.Source)))
	size, whole := e.SizeOf(rows)
	var commits []string
	for _, r := range rows {
		commits = append(commits, short(r.Commit))
	}
	fmt.Fprintf(w, "\n```text\ncanvass lab run %s --size %s --seeds %s --out out/%s # commit %s\n```\n\n", e.Name, size,
		seedsOf(rows), strings.ReplaceAll(e.Name, "/", "-"), few(commits))
	if !whole {
		fmt.Fprint(w, "Not all of its runs have ended.\n\n")
	}
	fmt.Fprint(w, "| claim | published | found | over | verdict | our band |\n|---|---|---|---|---|---|\n")
	for _, j := range e.Judge(rows) {
		if j.Missing {
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", j.Claim, j.Published, j.Found, j.OverSeeds(), j.Verdict,
			j.OurBand())
		judged = append(judged, j)
	}
	return judged
}

// seedsOf names the seeds of rows as --seeds takes them.
func seedsOf(rows []*lab.Row) string {
	low, high := rows[0].Seed, rows[0].Seed
	for _, r := range rows {
		low, high = min(low, r.Seed), max(high, r.Seed)
	}
	if low == 1 {
		return fmt.Sprint(high)
	}
	return fmt.Sprintf("%d..%d", low, high)
}

// Wrapped breaks a text into lines of at most 100 columns. The first begins with a bullet, and the
// others stand under its text.
func Wrapped(bullet, text string) string {
	const columns = 100
	var b strings.Builder
	line := bullet
	for _, word := range strings.Fields(text) {
		if len([]rune(line))+1+len([]rune(word)) > columns {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", len(bullet))
		}
		if strings.TrimSpace(line) != "" && line != bullet {
			line += " "
		}
		line += word
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}
