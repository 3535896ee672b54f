package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/latency"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

// clustering are the flags of "canvass lab cluster".
type clustering struct {
	platform, sites string
	on              prediction // --latency, with its folder
	settings        cluster.Settings
	criterion       string
	diameter        time.Duration
	seed            uint64
	fidelity        string
	fail            int
	own             bool
	out             string
	quiet           bool
}

func (c *clustering) flags(env Env, flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVar(&c.platform, "platform", "", "the `PLATFORM` whose nodes are clustered: sharcnet, pool:N or a file")
	flags.StringVar(&c.sites, "sites", "plane", "where its clusters are: made-up `SITES` (plane), or measured ones: "+
		"median, mean, lowest")
	flags.StringVar(&c.on.latency, "latency", "", "cluster hosts with these `LATENCIES` instead: see canvass lab "+
		"predict")
	flags.StringVar(&c.on.data, "data", os.Getenv("CANVASS_DATA"),
		"`FOLDER` of measured latencies, by default $CANVASS_DATA")
	flags.Lookup("data").DefValue = ""
	s := &c.settings
	flags.IntVar(&s.Size, "size", 64, "the most nodes of a cluster: `N`")
	flags.IntVar(&s.Memberships, "memberships", 0, "the most clusters of a node, its own included: `M` (default N)")
	flags.DurationVar(&c.diameter, "diameter", 200*time.Microsecond, "no two nodes of a cluster are farther apart: "+
		"`TIME`")
	flags.StringVar(&c.criterion, "criterion", "greedy",
		"how a node chooses clusters: `CRITERION` is first-come, global-order or greedy")
	flags.IntVar(&s.Aggregate, "aggregate", 0, "near nodes that a node reports to each neighbour in the tree: `K` "+
		"(default 2N)")
	flags.Uint64Var(&c.seed, "seed", 1, "draws latencies, joins, subsets and the order of solicitations: `SEED`")
	flags.StringVar(&c.fidelity, "fidelity", "batch", "how candidates become clusters: batch, or heads and clients in "+
		"a simulation, slowly: `cores`")
	flags.IntVar(&c.fail, "fail", 0, "with fidelity cores, also let so many nodes in a hundred fail at once, and "+
		"measure how long it takes until nodes are in clusters again: `PERCENT`")
	flags.BoolVar(&c.own, "no-symmetry", false, "write the clusters that nodes found, not the largest that they are in")
	flags.StringVar(&c.out, "out", "", "write the clusters to `FILE`, for canvass lab run --clustering file:FILE")
	env.Stdout.JSONFlag(flags)
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "no progress on standard error")
	cli.Group(flags, cli.GroupSelect, "platform", "sites", "latency", "data")
	cli.Group(flags, cli.GroupSearch, "size", "memberships", "diameter", "criterion", "aggregate", "seed", "fidelity",
		"fail")
	cli.Group(flags, cli.GroupOutput, "no-symmetry", "out", "json", "quiet")
}

func (env Env) clusterCommand() *cobra.Command {
	var c clustering
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Find clusters of near nodes from predicted latencies",
		Long: "Builds a tree that predicts latencies, and refines the clusters that nodes find in it: no node is in\n" +
			"more clusters than --memberships, all members have measured each other to be within --diameter, and each\n" +
			"node advertises the largest cluster that it is in. Shows how good the clusters are before and after that\n" +
			"last step.",
		Example: "  canvass lab cluster --platform sharcnet --size 64 --out clusters.json\n" +
			"  canvass lab cluster --platform sharcnet --sites median --data ~/data --size 128 --json\n" +
			"  canvass lab cluster --latency file:rtt.tsv --size 8 --diameter 30ms",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.platform == "" && cmd.Flags().Changed("sites") {
				return cli.Usagef("--sites is about the clusters of a --platform; name one, or leave it out")
			}
			if err := c.settle(cmd.Flags().Changed); err != nil {
				return err
			}
			return env.cluster(&c)
		},
	}
	c.flags(env, cmd.Flags())
	return cmd
}

// settle checks the settings and fills in defaults.
func (c *clustering) settle(given func(flag string) bool) (err error) {
	usual := cluster.Defaults(c.settings.Size)
	if !given("memberships") {
		c.settings.Memberships = usual.Memberships
	}
	if !given("aggregate") {
		c.settings.Aggregate = usual.Aggregate
	}
	c.settings.DiameterNanos = c.diameter.Nanoseconds()
	if c.settings.Criterion, err = cluster.ParseCriterion(c.criterion); err == nil {
		err = c.settings.Validate()
	}
	switch {
	case err != nil:
	case c.fidelity != "batch" && c.fidelity != "cores":
		err = fmt.Errorf("--fidelity is %q: use batch or cores", c.fidelity)
	case c.fail < 0 || c.fail > 100:
		err = fmt.Errorf("--fail is %d: it must be from 0 to 100", c.fail)
	case c.fail > 0 && c.fidelity != "cores":
		err = fmt.Errorf("--fail %d: only nodes can fail; use it with --fidelity cores", c.fail)
	case c.fidelity == "cores" && c.diameter%time.Microsecond != 0:
		err = fmt.Errorf("--diameter %v: nodes measure whole microseconds; use such a time with --fidelity cores",
			c.diameter)
	}
	if err != nil {
		return cli.Usagef("%v", err)
	}
	return nil
}

// input makes the latencies.
func (c *clustering) input(env Env) (*latency.Grid, string, error) {
	switch {
	case c.platform != "" && c.on.latency != "":
		return nil, "", cli.Usagef("both --platform and --latency are given; use one")
	case c.platform == "" && c.on.latency == "":
		return nil, "", cli.Usagef("nothing to cluster is given: use --platform, as in --platform sharcnet, or " +
			"--latency")
	case c.platform == "":
		g, err := c.on.input(env, c.seed)
		return g, c.on.latency, err
	}
	if err := c.on.reads(platform.FileOf(c.platform)); err != nil {
		return nil, "", err
	}
	p, err := platform.Parse(c.platform)
	if err != nil && platform.FileOf(c.platform) != "" {
		return nil, "", err // of the file, not of the command line
	}
	if err != nil {
		return nil, "", cli.Usagef("%v", err)
	}
	if err := c.on.reads(latency.Files(c.on.data)...); err != nil {
		return nil, "", err
	}
	g, err := latency.At(p, c.sites, c.on.data, c.seed)
	if errors.Is(err, latency.ErrMatrix) {
		return nil, "", err
	}
	if err != nil {
		return nil, "", cli.Usagef("%v", err)
	}
	return g, p.Name, nil
}

// clustered is the line of JSON.
type clustered struct {
	On      string          `json:"on"` // the platform or the latencies
	Sites   string          `json:"sites,omitempty"`
	Seed    uint64          `json:"seed"`
	Quality cluster.Quality `json:"quality"`
	Cores   *onCores        `json:"cores,omitempty"` // with fidelity cores, of which the quality is then
	Seconds float64         `json:"elapsed_seconds"`
	Peak    uint64          `json:"peak_bytes"` // memory that the process has taken so far
}

func (env Env) cluster(c *clustering) error {
	c.on.files = cli.NewGuard(env.Stdout, env.Stderr)
	if err := cli.ReadyFile(c.on.files, "out", c.out); err != nil {
		return err
	}
	g, name, err := c.input(env)
	if err != nil {
		return err
	}
	ctx, end := cli.Interruptible(context.Background(), 0)
	defer end()
	line, began := cli.NewProgress(env.Stderr, c.quiet), time.Now()
	result := clustered{On: name, Seed: c.seed}
	progress := func(stage string) {
		line.Show(fmt.Sprintf("%d nodes, %v: %s", g.Hosts, time.Since(began).Round(time.Second), stage))
	}
	f, err := cluster.Find(ctx, g.Input, c.settings, c.seed, progress)
	if err == nil && c.fidelity == "cores" {
		progress("refine on the cores")
		f, result.Cores, err = refineOnCores(ctx, g.Input, f, c.fail)
	}
	line.Clear()
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(env.Stderr, "canvass: interrupted; nothing was written")
		return cli.Code(cli.CodeInconclusive)
	}
	if err != nil {
		return cli.Usagef("%v", err)
	}
	if c.out != "" {
		text := platform.NewClusters(name, f.Lists(!c.own)).Encode()
		if err := fileio.WriteText(c.out, text); err != nil {
			return fmt.Errorf("write the clusters: %w", err)
		}
	}
	var memory runtime.MemStats
	result.Quality, result.Seconds = f.Quality(g.Input), time.Since(began).Seconds()
	runtime.ReadMemStats(&memory)
	result.Peak = memory.Sys
	if c.platform != "" {
		result.Sites = c.sites
	}
	return env.Stdout.Print(result, func() error {
		t := qualityTable(&result.Quality)
		if result.Cores != nil {
			t = append(t[:coreRows], result.Cores.rows()...)
		}
		return env.Stdout.Table(&cli.Table{Rows: t})
	})
}

// coreRows is how many rows of the table are about clusters, not about the batch that found them.
const coreRows = 14

// acquainted names the bound on acquaintances. If it allows more than there are nodes, it cannot be
// broken.
func acquainted(q *cluster.Quality) string {
	if q.AcquaintancesBound >= q.Hosts-1 {
		return fmt.Sprintf("bound %d is not tested: there are %d nodes", q.AcquaintancesBound, q.Hosts)
	}
	return fmt.Sprintf("bound %d", q.AcquaintancesBound)
}

// qualityTable shows the found clusters beside the advertised ones, and their cost.
func qualityTable(q *cluster.Quality) [][]string {
	own, sym := &q.Own, &q.Advertised
	number := func(label string, of func(s *cluster.Shape) any) []string {
		text := func(v any) string {
			switch v := v.(type) {
			case float64:
				return fmt.Sprintf("%.4g", v)
			case *float64:
				if v == nil {
					return "-"
				}
				return fmt.Sprintf("%.4g", *v)
			}
			return fmt.Sprint(v)
		}
		return []string{label, text(of(own)), text(of(sym))}
	}
	return [][]string{
		{"clusters", "found", "advertised"},
		number("mean size", func(s *cluster.Shape) any { return s.MeanSize }),
		number(fmt.Sprintf("share of nodes with fewer than %d", q.Size),
			func(s *cluster.Shape) any { return s.Undersized }),
		number("share as large as can be", func(s *cluster.Shape) any { return s.Whole }),
		number("distinct clusters", func(s *cluster.Shape) any { return s.Distinct }),
		number("strict subsets of others", func(s *cluster.Shape) any { return s.Subsets }),
		number("mean Jaccard index of members", func(s *cluster.Shape) any { return s.Overlap }),
		number("adjusted Rand index", func(s *cluster.Shape) any { return s.Rand }),
		number("mean memberships", func(s *cluster.Shape) any { return s.Memberships }),
		number(fmt.Sprintf("most memberships (found: at most %d)", q.Memberships),
			func(s *cluster.Shape) any { return s.MaxMembership }),
		number("mean acquaintances", func(s *cluster.Shape) any { return s.Acquaintances }),
		number(fmt.Sprintf("most acquaintances (%s)", acquainted(q)),
			func(s *cluster.Shape) any { return s.MaxAcquainted }),
		{"pairs beyond the diameter", fmt.Sprint(q.FarPairs), fmt.Sprint(q.FarPairs)},
		{"share that adopts a cluster", "-", fmt.Sprintf("%.4g", q.Adopting)},
		{"pairs filtered out", fmt.Sprint(q.FilteredPairs), "-"},
		{"clusters with filtered nodes", fmt.Sprint(q.FilteredClusters), "-"},
		{"measurements of a node, joining", fmt.Sprintf("%.4g", float64(q.Joins)/float64(q.Hosts)), "-"},
		{"measurements of a node, of members", fmt.Sprintf("%.4g", float64(q.Members)/float64(q.Hosts)), "-"},
		{"rounds of reports", fmt.Sprint(q.Rounds), "-"},
		{"reports", fmt.Sprint(q.Reports), "-"},
		{"solicitations", fmt.Sprint(q.Messages.Solicitations), "-"},
		{"updates of suitors", fmt.Sprint(q.Messages.Updates), "-"},
	}
}
