package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

// everyCommand calls a function for each command and topic of the program.
func everyCommand(t *testing.T, f func(path []string, c *cobra.Command)) {
	tl := &tool{
		Env: verdict.Env{
			Models: catalog.All, Scenarios: scenarios.All,
			Stdin: strings.NewReader(""), Stdout: cli.NewOutput(io.Discard), Stderr: cli.NewMessages(io.Discard),
		},
		args: []string{"lab"},
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

// qualified is a name of the code with its package, such as fmt.Print, but no part of a file name.
var qualified = regexp.MustCompile(`(?:^|[ "(])[a-z]+\.[A-Z][A-Za-z]*(?:[ ,;:)"]|$)`)

// TestHelpFits holds that help fits 80 columns, all of it, and speaks of no name in the code.
func TestHelpFits(t *testing.T) {
	everyCommand(t, func(path []string, _ *cobra.Command) {
		var out bytes.Buffer
		code := run(catalog.All, scenarios.All, append([]string{"help"}, path...), strings.NewReader(""), &out,
			io.Discard)
		if code != cli.CodeOK {
			t.Errorf("help %v: exit code %d", path, code)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("help %v: %d columns: %s", path, n, line)
			}
			if name := qualified.FindString(line); name != "" {
				t.Errorf("help %v names %s of the code: %s", path, name, line)
			}
		}
	})
}

// TestNoCommandLosesItsOutput holds that every command ends with 1 if its help cannot be written,
// and with 141 if its reader has gone; so do commands with results.
func TestNoCommandLosesItsOutput(t *testing.T) {
	lines := [][]string{
		{"version"}, {"--version"}, {"version", "--json"}, {"models"}, {"models", "--json"}, {"models", "-v"},
		{"simulate", "--list"}, {"simulate", "--list", "--json"}, {"lab", "list"}, {"lab", "list", "--json"},
		{"lab", "run", "--readings"}, {"completion", "bash"}, {"completion", "fish"}, {"completion", "zsh"}, {},
		{"lab", "run", "-q", "--workload", "lublin:N=30,nodes=32", "--policy", "fcfs"},
		{"lab", "run", "-q", "--workload", "lublin:N=30,nodes=32", "--policy", "fcfs", "--json"},
		{"lab", "workload", "describe", "lublin:N=30,nodes=32"},
		{"check", "-q", "--trace-dir", "", "can/row2/join"}, {"check", "-q", "--trace-dir", "", "--json",
			"can/row2/join"},
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

// TestNoCommandWaitsForAPipe names a pipe without a writer for each file that a command reads.
func TestNoCommandWaitsForAPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("CANVASS_SOCKET", "")
	if err := errors.Join(syscall.Mkfifo("pipe", 0o600), syscall.Mkfifo("pipe.json", 0o600),
		os.Mkdir("rows", 0o700), syscall.Mkfifo("rows/rows.ndjson", 0o600)); err != nil {
		t.Fatal(err)
	}
	const generated = "--workload lublin:N=30,nodes=32 --policy "
	for _, line := range []string{
		"replay pipe", "merge pipe", "simulate --plan pipe", "lab verify pipe", "lab compare pipe pipe",
		"lab compare rows rows", "lab merge pipe --out whole", "lab plot pipe --out a.html",
		"lab run --workload swf:pipe --policy fcfs", "lab predict --latency file:pipe",
		"lab workload describe swf:pipe", "lab run --platform pipe.json " + generated + "fcfs",
		"lab run --platform uniform:2x16 --clustering file:pipe " + generated + "qb+dlb",
		"lab run --out rows " + generated + "fcfs", "run pipe", "submit pipe",
		"node flight verify pipe", "node flight show pipe", "node flight merge pipe -o run.json",
		"node join h:1 --token pipe --listen 127.0.0.1:17411 --data new",
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
		case <-time.After(time.Minute): // of a command that would last forever
			t.Fatalf("%s waits for a writer of the pipe", line)
		}
	}
}

// TestOneCodeForOneThing holds the rule of "canvass help exit-codes": a mistake on every machine is
// 2, and a failure on this one is 1. Each is said in one line.
func TestOneCodeForOneThing(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("CANVASS_SOCKET", "")
	if err := errors.Join(os.Symlink("loop", "loop"), os.WriteFile("broken", []byte("{"), 0o600),
		os.WriteFile("broken.json", []byte("{"), 0o600),
		os.Mkdir("data", 0o700), os.WriteFile("data/planetlab490_median_ms.tsv.gz", []byte("{"), 0o600),
		os.Mkdir("folder", 0o700),
		os.WriteFile("foreign.json", []byte(`{"clusters": 1, "a": 2}`), 0o600),
		os.WriteFile("folder/file", nil, 0o600), os.WriteFile("job.toml", []byte("command = ['a']\ntasks = -1\n"),
			0o600),
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
			"lab run --workload swf:none.swf", "lab run --workload swf:broken --platform pool:4 --policy fcfs",
			"lab run --workload swf:folder --platform pool:4 --policy fcfs", "lab verify none", "lab verify broken",
			"lab compare none.csv none.csv", "lab compare broken broken", "lab plot none --out a.html",
			"lab predict --latency file:none", "lab workload describe swf:none.swf", "lab merge none --out whole",
			"lab run --html broken/x.html central/order", "lab run --jobs-out broken/x.csv" + generated,
			"lab run --workload lublin:N=30,nodes=32 --policy qb+dlb --platform uniform:2x16 --clustering file:none",
			"lab run --platform broken.json" + generated, "lab run --platform foreign.json" + generated,
			"lab run --platform none.json" + generated, "lab cluster --platform broken.json",
			"lab cluster --platform none.json", "lab predict --latency file:broken",
			"lab run --workload lublin:N=30,nodes=32 --policy qb+dlb --platform uniform:2x16 --clustering file:broken",
			"lab run --workload lublin:N=30,nodes=32 --policy qb+dlb --platform uniform:2x16 --clustering " +
				"file:foreign.json",
			"lab cluster --platform das2 --sites median --data data",
			"run none.toml", "submit none.toml", "run -- true", "status", "status x", "node status", "logs x", "events",
			"node flight verify none", "node flight show none", "node flight verify broken",
			"node flight merge folder -o run.json",
			"node init --listen 127.0.0.1:17411 --data folder", "node join h:1 --token none --listen " +
				"127.0.0.1:17411 --data new",
			"node join h:1 --token broken --listen 127.0.0.1:17411 --data new", "node agent --data none",
			"dev --dir folder",
			"node init --listen 203.0.113.1:17411 --data new", "node init --listen 127.0.0.1:17411 --advertise " +
				"x.invalid:1 --data new",
			"node init --listen 127.0.0.1:17411 --data broken", "dev --dir broken/x", "merge folder", "replay loop",
			"check can/row2/join --junit loop", "node flight show folder", "node flight verify folder", "run folder",
			"node join h:1 --token folder --listen 127.0.0.1:17411 --data new", "lab compare folder/file folder",
			"lab workload describe swf:folder", "lab predict --latency file:folder", "status --socket folder",
			"status --socket broken", "simulate --plan folder", "simulate --plan folder/file", "merge folder/file",
			"lab run --out broken" + generated,
		},
		cli.CodeUsage: { // a name, a number, a contradiction
			"nope", "check nope", "simulate nope", "replay", "models nope", "lab nope", "lab run nope", "lab list nope",
			"lab run --policy nope --workload lublin:N=30,nodes=32", "lab run --workload nope:1", "completion tcsh",
			"check --memory-limit 1KB", "check --memory-limit x", "check --swarm 4 --shard 3/2", "simulate --shard 3/2",
			"lab run --shard 3/2" + generated, "check --max-depth 99999999999999999999", "check --workers -1",
			"check --timeout x", "check --order x", "check --storage x", "replay none --format x", "simulate --seed x",
			"replay none --html x.svg", "lab run --seeds x" + generated, "lab run --jobs-out x.pdf" + generated,
			"lab compare a", "run", "run -k 0 -- true", "run -k 5000 -- true", "run --name A_b -- true",
			"run --env CANVASS_RANK=1 -- true", "run --array x -- true", "run --kill-signal NOPE -- true",
			"run --stdout-limit x -- true", "run --retries -1 -- true", "run --timeout -1s -- true",
			"run --input [ -- true",
			"run --output [ -- true", "run job.toml", "run broken.toml", "submit job.toml", "status --timeout -1s",
			"logs --tail -2 x", "events --kind x", "node status a b", "node drain --off --deadline 1s a", "get x",
			"dev --nodes 0",
			"node init --listen nope --data new", "node init --witnesses 2 --listen 127.0.0.1:17411 --data new",
			"node agent",
			"completion bash x", "run --input a:../b -- true", "run --input a:/b -- true", "logs --rank -1 x",
			"logs --attempt 0 x", "simulate --shard 1/10001", "merge broken broken",
			"node init --listen 127.0.0.1:17411 --advertise x --data new", "node init --listen 127.0.0.1:0 --data new",
			"node token create --uses 0", "new nope!", "status --nope", "node flight nope", "node nope",
		},
	} {
		for _, line := range lines {
			var out, said bytes.Buffer
			got := run(catalog.All, scenarios.All, strings.Fields(line), strings.NewReader(""), &out, &said)
			if got != code || strings.Count(said.String(), "\n") != 1 || !strings.HasPrefix(said.String(),
				"canvass: ") {
				t.Errorf("%s: exit code %d, want %d, and it says %q", line, got, code, said.String())
			}
		}
	}
}

// TestEveryFlagRefusesNonsense holds for every flag of every command that takes a number, a time or
// a size: any other value ends with 2, in one line that names the flag.
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
				if code != cli.CodeUsage || strings.Count(said.String(),
					"\n") != 1 || !strings.Contains(said.String(), f.Name) {
					t.Errorf("%q: exit code %d, and it says %q", args, code, said.String())
				}
			}
		})
	})
	if flags < 100 {
		t.Errorf("only %d flags were tried", flags)
	}
}

// TestFormerNames holds that the former names of commands still work, with one line about it on the
// standard error, and that a shell completes their arguments without one.
func TestFormerNames(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("CANVASS_SOCKET", "")
	said := func(args ...string) (code int, out, messages string) {
		var stdout, stderr bytes.Buffer
		code = run(catalog.All, scenarios.All, args, strings.NewReader(""), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	for name, now := range former {
		want := fmt.Sprintf("canvass: canvass %s is called canvass %s now; the old name works until the next "+
			"release\n", name,
			strings.Join(now, " "))
		_, out, messages := said(name, "--help")
		_, outNow, none := said(append(slices.Clone(now), "--help")...)
		if out != outNow || messages != want || none != "" {
			t.Errorf("%s --help says %q and %q, and %v --help %q", name, out, messages, now, none)
		}
		if code, out, messages := said("help", name); code != cli.CodeOK || out != outNow || messages != want {
			t.Errorf("help %s says %q and %q", name, out, messages)
		}
		_, out, messages = said("__complete", name, "--")
		_, outNow, _ = said(append([]string{"__complete"}, append(slices.Clone(now), "--")...)...)
		if out != outNow || strings.Contains(messages, "called") {
			t.Errorf("a shell completes %s with %q and %q, and %v with %q", name, out, messages, now, outNow)
		}
	}
	code, out, messages := said("grid", "list", "--json", "central/order")
	if codeNow, outNow, _ := said("lab", "list", "--json", "central/order"); code != cli.CodeOK || code != codeNow ||
		out != outNow || !strings.HasPrefix(out, "{") || strings.Count(messages, "\n") != 1 {
		t.Errorf("grid list --json ends with %d and says %q", code, messages)
	}
}

// TestHelpFitsOneScreen holds that the help of the program fits a screen of 40 lines.
func TestHelpFitsOneScreen(t *testing.T) {
	var out bytes.Buffer
	run(catalog.All, scenarios.All, []string{}, strings.NewReader(""), &out, io.Discard)
	if n := strings.Count(out.String(), "\n"); n < 24 || n >= 40 {
		t.Errorf("help has %d lines", n)
	}
}
