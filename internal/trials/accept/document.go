package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// shared is the folder that the page names. Two machines of one kernel need two.
const shared = "/var/lib/canvass"

// prompted is a line of the page: the machine, and the command to type there.
var prompted = regexp.MustCompile(`(?m)^(hub|other)\$ +(.+)$`)

// machine is a network namespace with the names of both machines.
type machine struct {
	*trial
	name, space string
}

// machines makes two network namespaces that are joined by a cable.
func (t *trial) machines() map[string]*machine {
	both := map[string]*machine{}
	t.Demand(os.Geteuid() == 0, "network namespaces need root")
	hosts := "127.0.0.1 localhost\n10.77.0.1 hub\n10.77.0.2 other\n"
	for _, name := range []string{"hub", "other"} {
		m := &machine{t, name, fmt.Sprintf("canvass-%s-%d", name, os.Getpid())}
		t.Must("ip netns add %s && mkdir -p /etc/netns/%s", m.space, m.space)
		err := os.WriteFile(filepath.Join("/etc/netns", m.space, "hosts"), []byte(hosts), 0o600)
		t.Demand(err == nil, "%v", err)
		both[name] = m
	}
	hub, other := both["hub"].space, both["other"].space
	t.Must("ip link add e0 netns %s type veth peer name e0 netns %s", hub, other)
	for i, space := range []string{hub, other} {
		t.Must("ip -n %s addr add 10.77.0.%d/24 dev e0 && ip -n %s link set e0 up && ip -n %s link set lo up",
			space, i+1, space, space)
	}
	return both
}

// command makes a line a command of this machine.
func (m *machine) command(line string) *exec.Cmd {
	line = strings.ReplaceAll(line, shared, filepath.Join(m.Folder, m.name))
	cmd := exec.CommandContext(m.Context, "ip", "netns", "exec", m.space, "sh", "-c", line)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(m.Canvass)+":"+os.Getenv("PATH"), "XDG_RUNTIME_DIR="+m.Folder)
	cmd.Dir, cmd.WaitDelay = m.Folder, time.Second
	return cmd
}

// types runs a line. If it fails, it may have been too early for a daemon that starts, so it is
// typed again.
func (m *machine) types(line string) (said string) {
	end := time.Now().Add(time.Minute)
	for {
		var said bytes.Buffer // such as that a job waits for a moment
		command := m.command(line)
		command.Stderr = &said
		out, err := command.Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
		m.Demand(time.Now().Before(end), "%s$ %s: %v: %s", m.name, line, err, trials.Short(said.String()))
		time.Sleep(200 * time.Millisecond)
	}
}

// twoMachines types what the page says, on two machines.
func twoMachines(t *trial) string {
	page, err := os.ReadFile(filepath.Join(t.module(), "docs", "daemon.md"))
	t.Demand(err == nil, "%v", err)
	_, section, _ := strings.Cut(string(page), "\n## Several machines\n")
	_, block, _ := strings.Cut(section, "```text\n")
	block, _, found := strings.Cut(block, "```")
	lines := prompted.FindAllStringSubmatch(block, -1)
	t.Demand(found && len(lines) > 4, "docs/daemon.md has no block of commands in “Several machines”")
	both := t.machines()
	defer func() {
		for _, m := range both {
			_ = exec.Command("ip", "netns", "delete", m.space).Run() // it goes with its last process
			_ = os.RemoveAll(filepath.Join("/etc/netns", m.space))
		}
	}()
	last := ""
	for _, line := range lines {
		m := both[line[1]]
		if !strings.HasPrefix(line[2], "canvass node agent") {
			last = m.types(line[2])
			continue
		}
		agent := m.command("exec " + line[2])
		agent.Cancel = func() error { return agent.Process.Signal(syscall.SIGTERM) }
		t.Demand(agent.Start() == nil, "%s", line[2])
		defer func() {
			_ = agent.Process.Kill() // it may have ended
			_ = agent.Wait()
		}()
	}
	t.Demand(strings.Count(last, "\n") == 1, "the last line printed %q, not a line of each task", last)
	return fmt.Sprintf("%d lines of docs/daemon.md, word for word but for the folder %s, in two network namespaces",
		len(lines), shared)
}
