package main

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// copiesRefused starts daemons with a restored folder and with a copied one.
func copiesRefused(t *trial) string {
	g := t.Grid(3)
	g.Signal(3, syscall.SIGTERM)
	g.Gone(3)
	before := g.Path("before")
	t.Must("cp -r %s %s", g.Data(3), before)
	g.Start(3)
	g.Whole(3)
	g.Kill(3)
	t.refused(g, before, strayed...)

	g.Start(3)
	g.Whole(3)
	copied, endpoint := t.copyOf(g, 3)
	t.refused(g, copied, "the folder is a copy", "remove the copy", "join again")
	if o := t.Sh(elsewhere + " true"); o.Code != 0 {
		return "set back, and copied on one machine; not there: a copy on another machine, since unshare says " +
			"" + o.Stderr
	}
	beside := exec.Command("sh", "-c", "exec "+elsewhere+" "+t.Canvass+" node agent --data "+copied)
	err := beside.Start()
	t.Demand(err == nil, "%v", err)
	go func() { _ = beside.Wait() }() // it ends with the grid
	t.Until(time.Minute, "the copy in the grid", func() bool {
		return strings.Contains(g.Sh("canvass node status --json").Stdout, endpoint)
	})
	t.Until(20*time.Second, "ended", func() bool { return len(trials.WithText("agent --data "+g.Data(3))) == 0 })
	t.refused(g, g.Data(3), strayed...)
	return "set back; copied on one machine; and copied to another endpoint, out of sight of the first daemon, so that " +
		"the two folders are one node: the daemon of one of them ends with 5 and says what to do"
}

// elsewhere begins a command that sees no other processes, as on another machine.
const elsewhere = "unshare --pid --fork --mount-proc --kill-child"

// strayed is the message of a daemon whose folder was set back, or is used by another daemon, too.
var strayed = []string{"copied or set back", "remove the other one", "join again"}

// refused demands that no daemon starts with a folder, and that it reports the reason.
func (t *trial) refused(g *trials.Grid, folder string, words ...string) {
	o := g.Sh("timeout 60 canvass node agent --data %s", folder)
	t.Demand(o.Code == 5, "%v", o)
	for _, word := range words {
		t.Demand(strings.Contains(o.Stderr, word), "it does not say %q: %v", word, o)
	}
}

// copyOf copies the folder of a daemon that runs. The copy listens at another endpoint.
func (t *trial) copyOf(g *trials.Grid, n int) (copied, endpoint string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	t.Demand(err == nil, "%v", err)
	endpoint = l.Addr().String()
	l.Close()
	copied = g.Path("copy")
	t.Must("cp -r %s %s", g.Data(n), copied)
	file := filepath.Join(copied, "config.json")
	text, err := os.ReadFile(file)
	t.Demand(err == nil, "%v", err)
	config := map[string]any{}
	t.Demand(json.Unmarshal(text, &config) == nil && config["listen"] != "", "%s: %s", file, text)
	config["listen"] = endpoint
	text, err = json.Marshal(config)
	t.Demand(err == nil && os.WriteFile(file, text, 0o600) == nil, "%s: %v", file, err)
	return copied, endpoint
}
