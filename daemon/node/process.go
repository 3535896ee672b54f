package node

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/protocol/muster"
)

const (
	searchPath  = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	outputLimit = 64 << 20
	killGrace   = 2 * time.Second
	portsOfTask = 8
)

// misfit says why a job cannot start on this machine, or nothing.
func (n *Node) misfit(s *jobs.Spec) string {
	command := s.Command[0]
	if strings.Contains(command, "/") {
		if _, err := os.Stat(command); err != nil && filepath.IsAbs(command) {
			return fmt.Sprintf("there is no %s on host %v", command, n.self)
		}
		return ""
	}
	for _, folder := range filepath.SplitList(pathOf(s)) {
		if _, err := exec.LookPath(filepath.Join(folder, command)); err == nil {
			return ""
		}
	}
	return fmt.Sprintf("there is no command %q on host %v", command, n.self)
}

// pathOf is where the command of a job is looked for.
func pathOf(s *jobs.Spec) string {
	path := searchPath
	for _, e := range s.Env {
		if value, is := strings.CutPrefix(e, "PATH="); is {
			path = value
		}
	}
	return path
}

// heldPort is a free port that nobody else takes until the process starts.
type heldPort struct {
	number uint16
	holds  net.Listener
}

// holdPorts takes free ports for a task.
func holdPorts() (ports []heldPort, misfit string) {
	for range portsOfTask {
		l, err := net.Listen("tcp", ":0")
		if err != nil {
			releasePorts(ports)
			return nil, "no free port: " + err.Error()
		}
		ports = append(ports, heldPort{uint16(l.Addr().(*net.TCPAddr).Port), l})
	}
	return ports, ""
}

func releasePorts(ports []heldPort) {
	for _, p := range ports {
		_ = p.holds.Close() // nothing was sent on it
	}
}

func portNumbers(ports []heldPort) (numbers []uint16) {
	for _, p := range ports {
		numbers = append(numbers, p.number)
	}
	return numbers
}

// outputFile is where a stream of a task of this node is kept.
func (n *Node) outputFile(a attemptName, stream string) string {
	return filepath.Join(n.options.Folder, "output", attemptText(a.By, a.Epoch)+"."+stream)
}

// startProcess starts the process of a task: all hosts are there, and the attempt has the permit.
func (n *Node) startProcess(a *attempt) {
	if a.ended || a.proc != nil || a.unfit != "" {
		return
	}
	process, err := n.spawn(a)
	releasePorts(a.ports)
	if err != nil {
		a.unfit = err.Error()
		n.reportUnfit(a)
		return
	}
	a.proc = process
	go func() {
		exit := <-process.Done()
		n.post(func() { n.exited(a, exit) })
	}()
}

// spawn starts the process.
func (n *Node) spawn(a *attempt) (*runner.Process, error) {
	if _, err := n.folder("output"); err != nil {
		return nil, err
	}
	dir, err := n.folder("work", a.String())
	if err != nil {
		return nil, err
	}
	s := a.core.State()
	peers := filepath.Join(dir, ".canvass-peers")
	var lines strings.Builder
	for rank, p := range s.Host.Places {
		fmt.Fprintf(&lines, "%d %v %s %s\n", rank, p.Host, n.machineOf(p.Host), joinPorts(p.Ports))
	}
	if err := os.WriteFile(peers, []byte(lines.String()), 0o600); err != nil {
		return nil, err
	}
	env := []string{
		"PATH=" + searchPath, "HOME=" + dir, "LANG=C.UTF-8",
		"CANVASS_JOB=" + a.jobID, "CANVASS_ATTEMPT=" + a.String(), "CANVASS_RANK=" + strconv.Itoa(int(s.Host.Rank)),
		"CANVASS_SIZE=" + strconv.Itoa(len(s.Host.Places)), "CANVASS_HOST=" + n.self.String(),
		"CANVASS_PEERS_FILE=" + peers, "CANVASS_PORTS=" + joinPorts(portNumbers(a.ports)), "CANVASS_WORKDIR=" + dir,
		"CANVASS_GRID=" + string(n.id.Grid),
	}
	return n.runner.Start(runner.Task{
		ID: a.jobID, Command: a.spec.Command, Env: append(env, a.spec.Env...), Dir: dir,
		Stdout: n.outputFile(a.name(), "stdout"), Stderr: n.outputFile(a.name(), "stderr"),
		OutputLimit: outputLimit, Grace: killGrace,
	})
}

func joinPorts(ports []uint16) string {
	var words []string
	for _, p := range ports {
		words = append(words, strconv.Itoa(int(p)))
	}
	return strings.Join(words, ",")
}

// exited takes the end of a process and of all that it has started.
func (n *Node) exited(a *attempt, exit runner.Exit) {
	a.exited = true
	dir := filepath.Join(n.options.Folder, "work", a.String())
	if err := os.RemoveAll(dir); err != nil {
		n.log.Warn("a working folder stays", "folder", dir, "error", err)
	}
	if exit.Error != "" {
		a.unfit = fmt.Sprintf("%s on host %v", exit.Error, n.self)
		n.reportUnfit(a)
	} else {
		code := exit.Code
		if exit.Signal > 0 {
			code = 0
		}
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandExited, Code: uint32(code), Signal: uint8(exit.Signal)})
	}
	if a.ended {
		n.processGone(a)
	}
	if a.after != nil {
		a.after()
	}
}

// endProcess ends the process of an attempt, if it runs.
func (n *Node) endProcess(a *attempt, grace bool) {
	if a.proc != nil && !a.exited {
		a.proc.Kill(grace)
	}
}
