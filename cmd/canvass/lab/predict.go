package lab

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/latency"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/sim"
	latencysim "github.com/canvass-grid/canvass/sim/latency"
)

// prediction holds the flags of "canvass lab predict" that choose the latencies.
type prediction struct {
	latency  string
	data     string
	seeds    string
	embedded bool
	diameter time.Duration

	files      *cli.Guard // nil if nothing is written
	directions sync.Once  // of a file, which is said once
}

// flags adds them.
func (p *prediction) flags(env Env, flags *pflag.FlagSet) {
	flags.SortFlags = false
	var inputs []string
	for _, n := range latency.Inputs() {
		inputs = append(inputs, n.Name)
	}
	flags.StringVar(&p.latency, "latency", "", "the `LATENCIES`: "+strings.Join(inputs, ", ")+" or file:PATH")
	flags.StringVar(&p.data, "data", os.Getenv("CANVASS_DATA"),
		"`FOLDER` of measured latencies, by default $CANVASS_DATA")
	flags.Lookup("data").DefValue = ""
	flags.BoolVar(&p.embedded, "allow-embedded", false, "accept a file of coordinates, which are predictions already")
	flags.StringVar(&p.seeds, "seeds", "1", "how many `SEEDS`, counted from 1 (20), or which (3..7)")
	flags.DurationVar(&p.diameter, "diameter", 10*time.Microsecond, "pairs at most so far apart are near: `TIME`")
	env.Stdout.JSONFlag(flags)
	cli.Group(flags, cli.GroupSelect, "latency", "data", "allow-embedded")
	cli.Group(flags, cli.GroupSearch, "seeds", "diameter")
	cli.Group(flags, cli.GroupOutput, "json")
}

// input makes the latencies of a seed.
func (p *prediction) input(env Env, seed uint64) (*latency.Grid, error) {
	path, isFile := strings.CutPrefix(p.latency, "file:")
	switch {
	case p.latency == "":
		return nil, cli.Usagef("no latencies are given: use --latency, as in --latency sharcnet-latency:sites=plane")
	case isFile:
		return p.file(env, path)
	}
	if err := p.reads(latency.Files(p.data)...); err != nil {
		return nil, err
	}
	g, err := latency.Parse(p.latency, p.data, seed)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return g, nil
}

// reads names inputs to the guard.
func (p *prediction) reads(paths ...string) error {
	for _, path := range paths {
		if err := p.files.Reads("", path); err != nil {
			return err
		}
	}
	return nil
}

// file reads a file in any of the formats of package latency. One way between two sites is half a
// round trip.
func (p *prediction) file(env Env, path string) (*latency.Grid, error) {
	if err := p.reads(path); err != nil {
		return nil, err
	}
	f, err := fileio.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read latencies: %w", err)
	}
	read, err := latencysim.ReadFile(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if read.Format == "coordinates" && !p.embedded {
		return nil, cli.Usagef("%s holds coordinates, not measurements: predictors of coordinates would only find them "+
			"again; use --allow-embedded to accept that", path)
	}
	p.directions.Do(func() { directions(env.Stderr, path, read.Sites) })
	way := func(a, b int) int64 { return read.Sites.Micros(protocol.Address(a), protocol.Address(b), nil) }
	return &latency.Grid{Input: &latency.Input{
		Name: path, Hosts: read.Sites.Sites(),
		Nanos: func(a, b int) int64 { return 1000 * (way(a, b) + way(b, a)) },
	}}, nil
}

// directions says how many pairs of sites differ by direction.
func directions(out io.Writer, path string, sites sim.Sites) {
	differ, pairs := 0, 0
	for a := range sites.Sites() {
		for b := range a {
			there := sites.Micros(protocol.Address(a), protocol.Address(b), nil)
			back := sites.Micros(protocol.Address(b), protocol.Address(a), nil)
			pairs++
			if there != back {
				differ++
			}
		}
	}
	if differ > 0 {
		fmt.Fprintf(out, "%s: of %d pairs, %d differ by direction; the mean of both counts\n", path, pairs, differ)
	}
}

// predicted is a line of JSON: one method with one seed.
type predicted struct {
	Latency      string         `json:"latency"`
	Method       string         `json:"method"`
	Seed         uint64         `json:"seed"`
	Hosts        int            `json:"hosts"`
	Measured     int            `json:"measurements"` // by all hosts; 0 if not counted
	Errors       latency.Errors `json:"errors"`
	BuildSeconds float64        `json:"build_seconds"`
}

// floorRestarts is how many random trees of sites are climbed from.
const floorRestarts = 100

func (env Env) predictCommand() *cobra.Command {
	var p prediction
	var methods []string
	var effort latency.Effort
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Predict latencies from few measurements, and compare all pairs with the truth",
		Long: "Runs methods that predict latencies and shows their relative errors over all pairs: percentiles, the\n" +
			"maximum, and the shares of pairs that are misclassified as near or far. The row \"tree floor\" has the errors\n" +
			"of a good tree of the sites alone, about the least that a tree can have. \"dtm\" is our interpretation where\n" +
			"the paper defines nothing.",
		Example: "  canvass lab predict --latency tree:300 --method dtm,dtm-walk\n" +
			"  canvass lab predict --latency sharcnet-latency:sites=plane,every=3 --method dtm,vivaldi --seeds 5\n" +
			"  canvass lab predict --latency file:rtt.tsv --method dtm,vivaldi-height,gnp",
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error { return env.predict(&p, methods, effort) },
	}
	p.flags(env, cmd.Flags())
	var names []string
	for _, m := range latency.Methods() {
		names = append(names, m.Name)
	}
	cmd.Flags().StringSliceVar(&methods, "method", []string{"dtm", "vivaldi", "gnp"},
		"the `METHODS`: "+strings.Join(names, ", "))
	cmd.Flags().IntVar(&effort.Rounds, "rounds", 128_000, "measurements of Vivaldi, by all hosts: `N`")
	cmd.Flags().IntVar(&effort.Landmarks, "landmarks", 6, "landmarks of GNP: `N`")
	cli.Group(cmd.Flags(), cli.GroupSelect, "method")
	cli.Group(cmd.Flags(), cli.GroupSearch, "rounds", "landmarks")
	return cmd
}

func (env Env) predict(p *prediction, methods []string, effort latency.Effort) error {
	seeds, err := lab.Seeds(p.seeds)
	if err != nil {
		return err
	}
	if effort.Rounds < 1 || effort.Landmarks < 2 {
		return cli.Usagef("--rounds must be at least 1 and --landmarks at least 2")
	}
	byMethod := make([][]predicted, len(methods)+1)
	for _, seed := range seeds {
		g, err := p.input(env, seed)
		if err != nil {
			return err
		}
		for i, method := range methods {
			began := time.Now()
			made, err := latency.Predict(g.Input, method, effort, seed)
			if err != nil {
				return cli.Usagef("%v", err)
			}
			row := predicted{
				Latency: p.latency, Method: method, Seed: seed, Hosts: g.Hosts,
				BuildSeconds: time.Since(began).Seconds(),
				Errors:       latency.Compare(g.Input, made, p.diameter.Nanoseconds()),
			}
			if t, ok := made.(*latency.Anchors); ok {
				row.Measured = t.Measured()
			}
			byMethod[i] = append(byMethod[i], row)
		}
		if floor := g.Floor(floorRestarts); floor.Pairs > 0 {
			byMethod[len(methods)] = append(byMethod[len(methods)], predicted{
				Latency: p.latency, Method: "tree floor", Seed: seed, Hosts: g.Hosts, Errors: floor,
			})
		}
	}
	return cli.PrintAll(env.Stdout, slices.Concat(byMethod...), func() error { return env.predictions(byMethod) })
}

// predictions writes a table of means over seeds.
func (env Env) predictions(byMethod [][]predicted) error {
	t := [][]string{{"method", "50 %", "95 %", "99 %", "largest", "false near", "false far", "measured by a host"}}
	for _, rows := range byMethod {
		if len(rows) == 0 {
			continue
		}
		mean := func(value func(*predicted) float64) string {
			var all []float64
			for i := range rows {
				all = append(all, value(&rows[i]))
			}
			m, _, _ := metric.Interval(all)
			return fmt.Sprintf("%.3g", m)
		}
		line := []string{
			rows[0].Method,
			mean(func(r *predicted) float64 { return r.Errors.P50 }),
			mean(func(r *predicted) float64 { return r.Errors.P95 }),
			mean(func(r *predicted) float64 { return r.Errors.P99 }),
			mean(func(r *predicted) float64 { return r.Errors.Max }),
			mean(func(r *predicted) float64 { return r.Errors.Positive }),
			mean(func(r *predicted) float64 { return r.Errors.Negative }),
			"-",
		}
		if rows[0].Measured > 0 {
			line[len(line)-1] = mean(func(r *predicted) float64 { return float64(r.Measured) / float64(r.Hosts) })
		}
		if rows[0].Method == "tree floor" {
			line[5], line[6] = "-", "-" // pairs inside a cluster count as exact
		}
		t = append(t, line)
	}
	return env.Stdout.Table(&cli.Table{Rows: t})
}
