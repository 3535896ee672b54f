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
	t.refused(g, before)

	g.start(3)
	t.whole(g, 3)
	endpoint := t.copyBeside(g, 3)
	t.until(time.Minute, "the copy in the grid", func() bool {
		return strings.Contains(t.sh(g, "canvass nodes --json").stdout, endpoint)
	})
	t.until(20*time.Second, "ended", func() bool { return t.count("agent --data "+g.data(3)) == 0 })
	t.refused(g, g.data(3))
	return "set back; and copied to another endpoint, so that the two folders are one node: the daemon of one of them " +
		"ends with 5 and says what to do"
}

// refused demands that no daemon can begin a life with a folder.
func (t *trial) refused(g *grid, folder string) {
	o := t.sh(g, "timeout 60 canvass agent --data %s", folder)
	t.demand(o.code == 5, "%v", o)
	for _, word := range []string{"copied or set back", "remove the other one", "join anew"} {
		t.demand(strings.Contains(o.stderr, word), "it does not say %q: %v", word, o)
	}
}

// copyBeside starts a daemon with a copy of the folder of one that runs, at another endpoint.
func (t *trial) copyBeside(g *grid, n int) (endpoint string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	t.demand(err == nil, "%v", err)
	endpoint = l.Addr().String()
	l.Close()
	copied := filepath.Join(g.folder, "copy")
	t.must(nil, "cp -r %s %s", g.data(n), copied)
	file := filepath.Join(copied, "config.json")
	text, err := os.ReadFile(file)
	t.demand(err == nil, "%v", err)
	config := map[string]any{}
	t.demand(json.Unmarshal(text, &config) == nil && config["listen"] != "", "%s: %s", file, text)
	config["listen"] = endpoint
	text, err = json.Marshal(config)
	t.demand(err == nil && os.WriteFile(file, text, 0o600) == nil, "%s: %v", file, err)
	beside := exec.Command(t.binary, "agent", "--data", copied)
	err = beside.Start()
	t.demand(err == nil, "%v", err)
	go func() { _ = beside.Wait() }() // it ends with the grid
	return endpoint
}
