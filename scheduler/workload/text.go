package workload

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/canvass-grid/canvass/scheduler"
)

// String is the description as a table for people: aligned columns, thousands separated.
func (d Description) String() string {
	var b strings.Builder
	left := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(name, format string, arguments ...any) {
		fmt.Fprintf(left, "%s\t%s\n", name, fmt.Sprintf(format, arguments...))
	}
	row("workload", "%s %s", d.Name, d.Digest)
	row("jobs", "%s, of which %s serial (%s)", thousands(d.Jobs), thousands(d.SerialJobs), percent(d.SerialShare))
	if d.MachineNodes > 0 {
		row("machine", "%s", counted(d.MachineNodes, "node"))
	} else {
		row("machine", "the log does not state it")
	}
	for _, h := range d.Header {
		row("header", "%s", h)
	}
	row("span", "%s", seconds(d.SpanMicros))
	row("size", "at most %s", counted(d.LargestNodes, "node"))
	row("run time", "median %s, longest %s", seconds(d.MedianRunMicros), seconds(d.LongestRunMicros))
	row("shapes", "%s distinct pairs of size and run time", thousands(d.DistinctShapes))
	row("requests", "%s with a requested time", counted(d.RequestedJobs, "job"))
	if d.LoadNodes > 0 && d.SpanMicros > 0 {
		row("load", "%.3f offered to %s", d.OfferedLoad, counted(d.LoadNodes, "node"))
	}
	if len(d.Partitions) > 0 {
		row("partitions", "%s", numbered(d.Partitions))
	}
	left.Flush()

	right := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(right, "\nnodes\tjobs\tshare\tlarger\t\n")
	for _, c := range d.Sizes {
		from, to := thousands(c.FromNodes), thousands(c.ToNodes)
		if from != to {
			from += "-" + to
		}
		fmt.Fprintf(right, "%s\t%s\t%s\t%s above %s\t\n", from, thousands(c.Jobs), percent(c.Share),
			thousands(c.AboveFrom), thousands(c.FromNodes))
	}
	right.Flush()
	fmt.Fprint(right, "\nrun time\tjobs\tshare\t\n")
	last := ""
	for _, c := range d.Runs {
		name := "from " + last
		if c.BelowMicros > 0 {
			last = seconds(c.BelowMicros)
			name = "below " + last
		}
		fmt.Fprintf(right, "%s\t%s\t%s\t\n", name, thousands(c.Jobs), percent(c.Share))
	}
	right.Flush()
	if len(d.Changes) == 0 {
		return b.String()
	}
	b.WriteString("\nleft out or changed\n")
	changes := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, c := range d.Changes {
		fmt.Fprintf(changes, "%s\t %s\n", thousands(c.Jobs), c.What)
	}
	changes.Flush()
	return b.String()
}

// numbered lists names with their numbers, ten at most: "1 short, 2 long".
func numbered(names []string) string {
	const most = 10
	var all []string
	for i, name := range names[:min(most, len(names))] {
		all = append(all, fmt.Sprintf("%d %s", i+1, name))
	}
	if n := len(names) - most; n > 0 {
		all = append(all, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, ", ")
}

// thousands separates groups of three digits by commas.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// seconds writes microseconds as seconds with as many decimals as needed.
func seconds(micros int64) string {
	text := thousands(int(micros / scheduler.Second))
	if fraction := micros % scheduler.Second; fraction != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", fraction), "0")
	}
	return text + " s"
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// counted is "1 job", "2,000 jobs".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}

// areJobs is "is 1 job", "are 2 jobs".
func areJobs(n int) string {
	if n == 1 {
		return "is 1 job"
	}
	return "are " + counted(n, "job")
}
