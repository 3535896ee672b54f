package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// TestNoCommandLosesItsOutput holds that every command ends with 1 if its help cannot be written,
// and with 141 if nobody reads it; so do commands with results.
func TestNoCommandLosesItsOutput(t *testing.T) {
	lines := [][]string{
		{"version"}, {"--version"}, {"version", "--json"}, {"models"}, {"models", "--json"}, {"models", "-v"},
		{"simulate", "--list"}, {"simulate", "--list", "--json"}, {"grid", "list"}, {"grid", "list", "--json"},
		{"grid", "run", "--readings"}, {"completion", "bash"}, {"completion", "fish"}, {"completion", "zsh"}, {},
		{"grid", "run", "-q", "--workload", "lublin:N=30,nodes=32", "--policy", "fcfs"},
		{"grid", "run", "-q", "--workload", "lublin:N=30,nodes=32", "--policy", "fcfs", "--json"},
		{"grid", "workload", "describe", "lublin:N=30,nodes=32"},
		{"check", "-q", "--trace-dir", "", "can/row2/join"}, {"check", "-q", "--trace-dir", "", "--json", "can/row2/join"},
	}
	everyCommand(t, func(path []string, _ *cobra.Command) {
		lines = append(lines, append(path[:len(path):len(path)], "--help"), append([]string{"help"}, path...))
	})
	for _, args := range lines {
		for _, test := range []struct {
			to   io.Writer
			code int
			said string
		}{
			{full{}, cli.CodeError, "canvass: cannot write to standard output: "},
			{closedPipe{}, cli.CodeClosed, ""},
		} {
			var said bytes.Buffer
			code := run(catalog.All, scenarios.All, args, strings.NewReader(""), test.to, &said)
			if code != test.code || !strings.HasPrefix(said.String(), test.said) || test.said == "" && said.Len() > 0 {
				t.Errorf("%v: exit code %d, want %d, and it says %q", args, code, test.code, said.String())
			}
		}
	}
}

// closedPipe is a pipe whose reader has gone.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestNoArgumentReachesTheTerminalRaw feeds control characters and an end of line to every argument
// of every command.
func TestNoArgumentReachesTheTerminalRaw(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("CANVASS_SOCKET", "")
	const evil = "x\x1b]0;y\a\x1b[2J\ncanvass: forged\u009b\u202e"
	cases := 0
	try := func(args []string) {
		cases++
		var out, said bytes.Buffer
		code := run(catalog.All, scenarios.All, args, strings.NewReader(evil), &out, &said)
		for _, text := range []string{out.String(), said.String()} {
			if strings.ContainsAny(text, "\x1b\a\u009b\u202e") || strings.Contains(text, "\ncanvass: forged") {
				t.Errorf("%q: exit code %d, and it writes %q", args, code, text)
			}
		}
	}
	everyCommand(t, func(path []string, c *cobra.Command) {
		if !c.Runnable() || c.Name() == "dev" {
			return // dev takes no names but that of a folder, which it makes
		}
		try(append(path[:len(path):len(path)], evil))
		try(append(path[:len(path):len(path)], "--"+evil))
		c.Flags().VisitAll(func(f *pflag.Flag) {
			try(append(path[:len(path):len(path)], "--"+f.Name+"="+evil, evil))
		})
	})
	if cases < 300 {
		t.Errorf("only %d command lines were tried", cases)
	}
}

// TestNoCommandWaitsForAPipe names a pipe that nobody writes into wherever a command reads a file.
func TestNoCommandWaitsForAPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("CANVASS_SOCKET", "")
	if err := errors.Join(syscall.Mkfifo("pipe", 0o600), syscall.Mkfifo("pipe.json", 0o600),
		os.Mkdir("rows", 0o700), syscall.Mkfifo("rows/rows.ndjson", 0o600)); err != nil {
		t.Fatal(err)
	}
	const generated = "--workload lublin:N=30,nodes=32 --policy "
	for _, line := range []string{
		"replay pipe", "merge pipe", "simulate --plan pipe", "grid verify pipe", "grid compare pipe pipe",
		"grid compare rows rows", "grid merge pipe --out whole", "grid plot pipe --out a.html",
		"grid run --workload swf:pipe --policy fcfs", "grid predict --latency file:pipe",
		"grid workload describe swf:pipe", "grid run --platform pipe.json " + generated + "fcfs",
		"grid run --platform uniform:2x16 --clustering file:pipe " + generated + "qb+dlb",
		"grid run --out rows " + generated + "fcfs", "run pipe", "submit pipe",
		"flight verify pipe", "flight show pipe", "flight merge pipe -o run.json",
		"join h:1 --token pipe --listen 127.0.0.1:17411 --data new",
	} {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			var out, said bytes.Buffer
			code := run(catalog.All, scenarios.All, strings.Fields(line), strings.NewReader(""), &out, &said)
			if code != cli.CodeError || strings.Count(said.String(), "\n") != 1 {
				t.Errorf("%s: exit code %d, and it says %q", line, code, said.String())
			}
		}()
		select {
		case <-ended:
		case <-time.After(time.Minute): // of what would last forever
			t.Fatalf("%s waits for somebody who writes into the pipe", line)
		}
	}
}

// TestOneCodeForOneThing holds the rule of "canvass help exit-codes": what would be wrong on every
// machine is 2, and what fails here is 1. Each is said in one line.
func TestOneCodeForOneThing(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("CANVASS_SOCKET", "")
	if err := errors.Join(os.Symlink("loop", "loop"), os.WriteFile("broken", []byte("{"), 0o600),
		os.WriteFile("broken.json", []byte("{"), 0o600),
		os.Mkdir("data", 0o700), os.WriteFile("data/planetlab490_median_ms.tsv.gz", []byte("{"), 0o600),
		os.Mkdir("folder", 0o700),
		os.WriteFile("foreign.json", []byte(`{"clusters": 1, "a": 2}`), 0o600),
		os.WriteFile("folder/file", nil, 0o600), os.WriteFile("job.toml", []byte("command = ['a']\ntasks = -1\n"), 0o600),
		os.WriteFile("broken.toml", []byte("command = ["), 0o600)); err != nil {
		t.Fatal(err)
	}
	const generated = " --workload lublin:N=30,nodes=32 --policy fcfs"
	for code, lines := range map[int][]string{
		cli.CodeError: { // missing, damaged, in the way, no daemon
			"replay none", "replay folder", "replay broken", "merge none", "merge broken", "simulate --plan none",
			"simulate --plan broken",
			"check can/row2/join --trace-dir broken/x", "check can/row2/join --junit broken/x.xml",
			"check can/row2/join --junit folder", "simulate can/churn --finding-dir broken/x",
			"grid run --workload swf:none.swf", "grid run --workload swf:broken --platform pool:4 --policy fcfs",
			"grid run --workload swf:folder --platform pool:4 --policy fcfs", "grid verify none", "grid verify broken",
			"grid compare none.csv none.csv", "grid compare broken broken", "grid plot none --out a.html",
			"grid predict --latency file:none", "grid workload describe swf:none.swf", "grid merge none --out whole",
			"grid run --html broken/x.html central/order", "grid run --jobs-out broken/x.csv" + generated,
			"grid run --workload lublin:N=30,nodes=32 --policy qb+dlb --platform uniform:2x16 --clustering file:none",
			"grid run --platform broken.json" + generated, "grid run --platform foreign.json" + generated,
			"grid run --platform none.json" + generated, "grid cluster --platform broken.json",
			"grid cluster --platform none.json", "grid predict --latency file:broken",
			"grid run --workload lublin:N=30,nodes=32 --policy qb+dlb --platform uniform:2x16 --clustering file:broken",
			"grid run --workload lublin:N=30,nodes=32 --policy qb+dlb --platform uniform:2x16 --clustering file:foreign.json",
			"grid cluster --platform das2 --sites median --data data",
			"run none.toml", "submit none.toml", "run -- true", "status", "status x", "nodes", "logs x", "events",
			"flight verify none", "flight show none", "flight verify broken", "flight merge folder -o run.json",
			"init --listen 127.0.0.1:17411 --data folder", "join h:1 --token none --listen 127.0.0.1:17411 --data new",
			"join h:1 --token broken --listen 127.0.0.1:17411 --data new", "agent --data none", "dev --dir folder",
			"init --listen 203.0.113.1:17411 --data new", "init --listen 127.0.0.1:17411 --advertise x.invalid:1 --data new",
			"init --listen 127.0.0.1:17411 --data broken", "dev --dir broken/x", "merge folder", "replay loop",
			"check can/row2/join --junit loop", "flight show folder", "flight verify folder", "run folder",
			"join h:1 --token folder --listen 127.0.0.1:17411 --data new", "grid compare folder/file folder",
			"grid workload describe swf:folder", "grid predict --latency file:folder", "status --socket folder",
			"status --socket broken", "simulate --plan folder", "simulate --plan folder/file", "merge folder/file",
			"grid run --out broken" + generated,
		},
		cli.CodeUsage: { // a name, a number, a contradiction
			"nope", "check nope", "simulate nope", "replay", "models nope", "grid nope", "grid run nope", "grid list nope",
			"grid run --policy nope --workload lublin:N=30,nodes=32", "grid run --workload nope:1", "completion tcsh",
			"check --memory-limit 1KB", "check --memory-limit x", "check --swarm 4 --shard 3/2", "simulate --shard 3/2",
			"grid run --shard 3/2" + generated, "check --max-depth 99999999999999999999", "check --workers -1",
			"check --timeout x", "check --order x", "check --storage x", "replay none --format x", "simulate --seed x",
			"replay none --html x.svg", "grid run --seeds x" + generated, "grid run --jobs-out x.pdf" + generated,
			"grid compare a", "run", "run -k 0 -- true", "run -k 5000 -- true", "run --name A_b -- true",
			"run --env CANVASS_RANK=1 -- true", "run --array x -- true", "run --kill-signal NOPE -- true",
			"run --stdout-limit x -- true", "run --retries -1 -- true", "run --timeout -1s -- true", "run --input [ -- true",
			"run --output [ -- true", "run job.toml", "run broken.toml", "submit job.toml", "status --timeout -1s",
			"logs --tail -2 x", "events --kind x", "nodes a b", "drain --off --deadline 1s a", "get x", "dev --nodes 0",
			"init --listen nope --data new", "init --witnesses 2 --listen 127.0.0.1:17411 --data new", "agent",
			"completion bash x", "run --input a:../b -- true", "run --input a:/b -- true", "logs --rank -1 x",
			"logs --attempt 0 x", "simulate --shard 1/10001", "merge broken broken",
			"init --listen 127.0.0.1:17411 --advertise x --data new", "init --listen 127.0.0.1:0 --data new",
			"token create --uses 0", "new nope!", "status --nope", "flight nope", "custody nope",
		},
	} {
		for _, line := range lines {
			var out, said bytes.Buffer
			got := run(catalog.All, scenarios.All, strings.Fields(line), strings.NewReader(""), &out, &said)
			if got != code || strings.Count(said.String(), "\n") != 1 || !strings.HasPrefix(said.String(), "canvass: ") {
				t.Errorf("%s: exit code %d, want %d, and it says %q", line, got, code, said.String())
			}
		}
	}
}

// TestEveryFlagRefusesNonsense holds for every flag of every command that takes a number, a time or
// a size: what is none of these ends with 2, in one line that names the flag.
func TestEveryFlagRefusesNonsense(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("CANVASS_SOCKET", "")
	flags := 0
	everyCommand(t, func(path []string, c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.Type() {
			case "bool", "int", "uint64", "float64", "duration", "intSlice", "durationSlice":
			default:
				return // the command reads it
			}
			flags++
			for _, value := range []string{"x", "1e9999", "--"} {
				var out, said bytes.Buffer
				args := append(path[:len(path):len(path)], "--"+f.Name+"="+value)
				code := run(catalog.All, scenarios.All, args, strings.NewReader(""), &out, &said)
				if code != cli.CodeUsage || strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), f.Name) {
					t.Errorf("%q: exit code %d, and it says %q", args, code, said.String())
				}
			}
		})
	})
	if flags < 100 {
		t.Errorf("only %d flags were tried", flags)
	}
}
