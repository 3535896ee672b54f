package jobs_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/cmd/canvass/commandtest"
	commands "github.com/canvass-grid/canvass/cmd/canvass/jobs"
	nodes "github.com/canvass-grid/canvass/cmd/canvass/node"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
)

// TestMain lets the test binary stand in for the program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"canvass": func() { os.Exit(program()) }})
}

// program is canvass with the commands of this package only.
func program() int {
	root := &cobra.Command{Use: "canvass", SilenceErrors: true, SilenceUsage: true}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // as main does
	out, messages := cli.NewOutput(os.Stdout), cli.NewMessages(os.Stderr)
	env := client.Env{Stdout: out, Stderr: messages, Build: "test"}
	root.AddCommand(append(commands.Commands(env), nodes.Commands(env)...)...)
	return cli.Exit(root.Execute(), out, messages)
}

// TestScripts runs the commands as users do, against real daemons.
func TestScripts(t *testing.T) { runScripts(t, "script") }

// TestTurns runs the scripts about when and where jobs have their turn, which notice mutants.
func TestTurns(t *testing.T) { runScripts(t, "turns") }

func runScripts(t *testing.T, folder string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		RequireExplicitExec: true,
		Deadline:            time.Now().Add(10 * time.Minute), // all of them, on a slow machine
		Setup: func(env *testscript.Env) error {
			env.Setenv("CANVASS_SOCKET", "")
			env.Setenv("XDG_RUNTIME_DIR", env.WorkDir)
			return freePorts(env, "HUB", "OTHER", "THIRD")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "grid": devGrid, "made": madeGrid, "promlint": lintMetrics, "sh": shell,
		},
	})
}

// freePorts sets variables to endpoints of this machine that are free now.
func freePorts(env *testscript.Env, names ...string) error {
	for _, name := range names {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer l.Close() // once all are known: no port comes twice
		env.Setenv(name, l.Addr().String())
	}
	return nil
}

// exits runs a command and demands its exit code. Its messages are in stderr.txt.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGUMENT...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code, exit := 0, (*exec.ExitError)(nil)
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), []byte(ts.ReadFile("stderr")), 0o600))
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// shell runs a script of the shell, such as a loop that waits for something, for three minutes at
// most.
func shell(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] sh 'SCRIPT'")
	}
	err := ts.Exec("timeout", "180", "sh", "-c", args[0])
	exit := (*exec.ExitError)(nil)
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 124:
		ts.Fatalf("three minutes were not enough")
	case neg != (err != nil):
		ts.Fatalf("unexpected end: %v", err)
	}
}

// lintMetrics demands that a file is in the text format of Prometheus, and keeps its conventions.
func lintMetrics(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: promlint FILE")
	}
	problems, err := promlint.New(strings.NewReader(ts.ReadFile(args[0]))).Lint()
	ts.Check(err)
	if len(problems) > 0 {
		ts.Fatalf("%v", problems)
	}
}

// madeGrid makes the folders p1, p2 and so on of a grid as it was made some days ago: made DAYS
// NODES. The first one has the authority, and up to three are witnesses.
func madeGrid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: made DAYS NODES")
	}
	days, err := strconv.Atoi(args[0])
	ts.Check(err)
	nodes, err := strconv.Atoi(args[1])
	ts.Check(err)
	then := time.Now().AddDate(0, 0, -days)
	authority, err := identity.NewGrid(then)
	ts.Check(err)
	var contacts []config.Contact
	for i := range nodes {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		ts.Check(err)
		defer listener.Close() // once all are known: no port comes twice
		contacts = append(contacts, config.Contact{Address: protocol.Address(i), Endpoint: listener.Addr().String()})
	}
	for i, contact := range contacts {
		folder := ts.MkAbs(fmt.Sprintf("p%d", i+1))
		address, err := authority.Next()
		ts.Check(err)
		id, err := authority.Enrol(address, then)
		ts.Check(err)
		ts.Check(id.Save(folder))
		c := config.Config{
			Listen: contact.Endpoint, Advertise: contact.Endpoint, Contacts: contacts, CPUs: 1,
			Grid: config.DefaultGrid(0, min(3, nodes|1)),
		}
		ts.Check(c.Save(folder))
	}
	ts.Check(authority.Save(ts.MkAbs("p1")))
}

// devGrid runs "canvass dev" with the given number of nodes until the script ends: grid 3. The
// socket is in CANVASS_SOCKET afterwards, the process in $GRIDPID.
func devGrid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: grid NODES")
	}
	program, err := exec.LookPath("canvass")
	ts.Check(err)
	folder := ts.MkAbs("g")
	said := &commandtest.Buffer{}
	dev := exec.Command(program, "dev", "--nodes", args[0], "--dir", folder)
	dev.Stderr = said
	ts.Check(dev.Start())
	ended := make(chan error, 1)
	go func() { ended <- dev.Wait() }()
	ts.Defer(func() {
		ts.Logf("canvass dev said:\n%s", said)
		_ = dev.Process.Signal(syscall.SIGINT) // it may have ended
		select {
		case <-ended:
		case <-time.After(time.Minute):
			_ = dev.Process.Kill()
			ts.Fatalf("canvass dev does not end:\n%s", said)
		}
	})
	for !strings.Contains(said.String(), "are ready") {
		select {
		case err := <-ended:
			ended <- err
			ts.Fatalf("canvass dev has ended: %v\n%s", err, said)
		case <-time.After(20 * time.Millisecond):
		}
	}
	ts.Setenv("CANVASS_SOCKET", filepath.Join(folder, "n1", "api.sock"))
	ts.Setenv("GRIDPID", fmt.Sprint(dev.Process.Pid))
}
