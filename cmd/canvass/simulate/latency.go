package simulate

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/latency"
)

// delays are the latencies of --latency.
type delays struct {
	text string // of the flag
	path string // of a file of measured latencies, or ""
	file *latency.File
}

// readDelays reads the text of --latency, and the file that it names.
func readDelays(files *cli.Guard, text string) (*delays, error) {
	d := &delays{text: text}
	if word, path, _ := strings.Cut(strings.TrimSpace(text), " "); word == "measured" {
		if d.path = filepath.ToSlash(strings.TrimSpace(path)); d.path == "" {
			return nil, cli.Usagef("--latency %q names no file; write \"measured FILE\"", text)
		}
		file, err := readMeasured(files, d.path)
		if err != nil {
			return nil, fmt.Errorf("--latency: %w", err)
		}
		d.file = file
		return d, nil
	}
	if _, err := sim.ParseLatency(text); err != nil {
		return nil, cli.Usagef("--latency: %v; \"measured FILE\" takes latencies from a file", err)
	}
	return d, nil
}

func readMeasured(files *cli.Guard, path string) (*latency.File, error) {
	if err := files.Reads("", path); err != nil {
		return nil, err
	}
	in, err := fileio.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	file, err := latency.ReadFile(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// String describes the latencies.
func (d *delays) String() string {
	if d.file == nil {
		return "latency " + d.text
	}
	return fmt.Sprintf("latency measured %s (%s of %d sites, digest %s)", d.path, d.file.Format, d.file.Sites.Sites(),
		d.file.Digest)
}

// scenarios returns the scenarios with these latencies instead of random ones.
func (d *delays) scenarios(all []*sim.Scenario) []*sim.Scenario {
	var delayed []*sim.Scenario
	for _, w := range all {
		scenario := *w
		scenario.Draw = d.draw(w)
		delayed = append(delayed, &scenario)
	}
	return delayed
}

// saltLimit bounds the salts that assign nodes to sites.
const saltLimit = 1_000_000_000

// draw draws all of a plan but its latencies. The plan's seed assigns nodes to sites.
func (d *delays) draw(w *sim.Scenario) func(seed uint64) *sim.Plan {
	return func(seed uint64) *sim.Plan {
		p := w.Draw(seed)
		if p.Latency = d.text; d.file != nil {
			p.Latency = sim.Measured{Digest: d.file.Digest, Salt: 1 + p.Seed%saltLimit, File: d.path}.String()
			p.Sites = d.file.Sites
		}
		return p
	}
}

// errOtherFile says that a file differs from the file of a plan.
var errOtherFile = errors.New("not the file that the plan was found with")

// Measure gives a plan the measured latencies that it names, if it does: from the file at its path
// or, if given is not nil, from that one. The remedy says what to do where the file is not there.
func Measure(files *cli.Guard, p *sim.Plan, given *delays, remedy string) error {
	m, measured, err := sim.ParseMeasured(p.Latency)
	if err != nil || !measured {
		return err
	}
	var file *latency.File
	if given != nil {
		m.File, file = given.path, given.file
	} else if file, err = readMeasured(files, m.File); err != nil {
		return fmt.Errorf("the plan's measured latencies: %w; %s", err, remedy)
	}
	if file.Digest != m.Digest {
		return fmt.Errorf("%w: %s has digest %s, the plan names %s; %s", errOtherFile, m.File, file.Digest, m.Digest,
			remedy)
	}
	p.Latency, p.Sites = m.String(), file.Sites
	return nil
}
