package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/sim"
)

// progress shows how far a check has come: on a terminal one line that is overwritten, anywhere
// else a line now and then.
type progress struct {
	w       io.Writer
	quiet   bool
	live    bool // overwrite one line
	columns int  // of the terminal
	shown   bool // there is a line to overwrite
}

func newProgress(m *cli.Messages, quiet bool) *progress {
	p := &progress{w: m.Raw(), quiet: quiet, columns: m.Columns()}
	p.live = m.Terminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return p
}

// every is how often progress is shown.
func (p *progress) every() time.Duration {
	if p.live {
		return 200 * time.Millisecond
	}
	return 10 * time.Second
}

// log writes a line that stays.
func (p *progress) log(text string) {
	if p.quiet {
		return
	}
	p.clear()
	fmt.Fprintf(p.w, "canvass: %s\n", cli.Escape(text))
}

func (p *progress) show(name string, now checker.Progress) {
	if p.quiet {
		return
	}
	p.line(status(name, now))
}

// simulated shows how far a simulation has come.
func (p *progress) simulated(now sim.Progress) {
	if p.quiet {
		return
	}
	runs := english.Grouped(now.Runs)
	if now.Of > 0 {
		runs += " of " + english.Grouped(now.Of)
	}
	messages := ""
	if now.Messages > 0 { // walks count none
		speed := english.Grouped(uint64(rate(now.Messages, now.Elapsed)))
		messages = fmt.Sprintf("%s messages, %s messages/s, ", english.Grouped(now.Messages), speed)
	}
	p.line(fmt.Sprintf("%s runs, %s violated, %s%s", runs, english.Grouped(now.Violations), messages,
		now.Elapsed.Truncate(time.Second)))
}

// line shows a line of progress.
func (p *progress) line(line string) {
	line = cli.Escape(line)
	if !p.live {
		fmt.Fprintf(p.w, "canvass: %s\n", line)
		return
	}
	if runes := []rune(line); len(runes) > p.columns-1 {
		line = string(runes[:p.columns-1])
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
	p.shown = true
}

// clear removes the status line, so that something else can be written.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

func status(name string, p checker.Progress) string {
	return fmt.Sprintf("%s %s: %s states, queue %s, depth %d, %s states/s, %s, %s", name, p.Phase,
		english.Grouped(p.States), english.Grouped(p.Queue), p.Depth, english.Grouped(uint64(rate(p.States, p.Elapsed))),
		size(p.MemoryBytes), p.Elapsed.Truncate(time.Second))
}

// rate is a number per second.
func rate(n uint64, elapsed time.Duration) float64 {
	if elapsed <= 0 {
		return 0
	}
	return float64(n) / elapsed.Seconds()
}
