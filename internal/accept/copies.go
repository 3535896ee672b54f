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
)

// copiesRefused starts daemons with a folder that was set back, and with one that was copied.
func copiesRefused(t *trial) string {
	g := t.grid(3)
	g.signal(3, syscall.SIGTERM)
	t.until(10*time.Second, "ended", func() bool { return t.count("agent --data "+g.data(3)) == 0 })
	before := filepath.Join(g.folder, "before")
	t.must(nil, "cp -r %s %s", g.data(3), before)
	g.start(3)
	t.whole(g, 3)
	g.signal(3, syscall.SIGKILL)
	t.refused(g, before, strayed...)

	g.start(3)
	t.whole(g, 3)
	copied, endpoint := t.copyOf(g, 3)
	t.refused(g, copied, "the folder is a copy", "remove the copy", "join anew")
	if o := t.sh(nil, elsewhere+" true"); o.code != 0 {
		return "set back, and copied on one machine; not there: a copy on another machine, since unshare says " +
			"" + o.stderr
	}
	beside := exec.Command("sh", "-c", "exec "+elsewhere+" "+t.binary+" node agent --data "+copied)
	err := beside.Start()
	t.demand(err == nil, "%v", err)
	go func() { _ = beside.Wait() }() // it ends with the grid
	t.until(time.Minute, "the copy in the grid", func() bool {
		return strings.Contains(t.sh(g, "canvass node status --json").stdout, endpoint)
	})
	t.until(20*time.Second, "ended", func() bool { return t.count("agent --data "+g.data(3)) == 0 })
	t.refused(g, g.data(3), strayed...)
	return "set back; copied on one machine; and copied to another endpoint, out of sight of the first daemon, so that " +
		"the two folders are one node: the daemon of one of them ends with 5 and says what to do"
}

// elsewhere begins a command that sees no other processes, as on another machine.
const elsewhere = "unshare --pid --fork --mount-proc --kill-child"

// strayed is what a daemon says when its folder was set back, or another one runs with a copy.
var strayed = []string{"copied or set back", "remove the other one", "join anew"}

// refused demands that no daemon can begin a life with a folder, and that it says why.
func (t *trial) refused(g *grid, folder string, words ...string) {
	o := t.sh(g, "timeout 60 canvass node agent --data %s", folder)
	t.demand(o.code == 5, "%v", o)
	for _, word := range words {
		t.demand(strings.Contains(o.stderr, word), "it does not say %q: %v", word, o)
	}
}

// copyOf copies the folder of a daemon that runs. The copy listens at another endpoint.
func (t *trial) copyOf(g *grid, n int) (copied, endpoint string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	t.demand(err == nil, "%v", err)
	endpoint = l.Addr().String()
	l.Close()
	copied = filepath.Join(g.folder, "copy")
	t.must(nil, "cp -r %s %s", g.data(n), copied)
	file := filepath.Join(copied, "config.json")
	text, err := os.ReadFile(file)
	t.demand(err == nil, "%v", err)
	config := map[string]any{}
	t.demand(json.Unmarshal(text, &config) == nil && config["listen"] != "", "%s: %s", file, text)
	config["listen"] = endpoint
	text, err = json.Marshal(config)
	t.demand(err == nil && os.WriteFile(file, text, 0o600) == nil, "%s: %v", file, err)
	return copied, endpoint
}
