package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// markdownHead begins the page of reproductions.
const markdownHead = `# Reproduction

Results about scheduling, published or known from other simulators, beside those of Canvass. This
page is generated: each section says how to make its rows again, and
` + "`canvass lab verify FOLDER… --markdown`" + ` writes the page from them. Each section names its source: a
dissertation, theory, or an independent simulator. Where a claim has a bound that its source does
not state, such as "at most 2 times" for "comparable", the bound was set after trials with another
program, and proves little. A claim about chance needs ten seeds; ± is half of a 95 % interval over
seeds. [The scheduling laboratory](scheduling.md) explains experiments, settings and measures.

A claim is *reproduced* if its whole interval is where the source has it, and *deviates* if all of
it is elsewhere. If the interval is on both sides of the bound, the claim is *undetermined*. The
verdict *none* stands where nothing is published to compare with: the numbers are there to be seen.
`

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
	fmt.Fprint(w, markdownHead+"\n"+Wrapped("", logsFrom+standIns))
	var failed []string
	for _, e := range chosen {
		own := slices.DeleteFunc(slices.Clone(rows), func(r *lab.Row) bool { return r.Experiment != e.Name })
		failed = append(failed, markdownSection(w, e, own)...)
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

// markdownSection writes what became of an experiment, and returns what was not reproduced.
func markdownSection(w io.Writer, e *experiment.Experiment, rows []*lab.Row) (failed []string) {
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
	fmt.Fprint(w, "| claim | published | found | verdict |\n|---|---|---|---|\n")
	for _, j := range e.Judge(rows) {
		if Missing(j) {
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", j.Claim, j.Published, j.Found, j.Verdict)
		if j.Verdict != experiment.Reproduced && j.Verdict != experiment.None {
			failed = append(failed, fmt.Sprintf("`%s`, %s: %s. Published: %s. Found: %s.", e.Name, j.Claim, j.Verdict,
				j.Published, j.Found))
		}
	}
	return failed
}

// Missing reports whether a claim was not judged for lack of rows.
func Missing(j experiment.Judgement) bool { return strings.HasPrefix(j.Found, "not run") }

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
