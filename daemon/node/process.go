package node

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/protocol/muster"
)

const (
	searchPath  = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	portsOfTask = 8
	peersFile   = ".canvass-peers"
	lastLines   = 1 << 10 // bytes of the error stream that a record has of a task that failed
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
	a.proc, a.begun = process, n.wall()
	begun := rankReport{a.ofJob(), jobs.Rank{Isolation: n.runner.Isolation(), Begin: a.begun}}
	n.askCustodians(a.at.Custodians, "rank", begun, failedPatience, func() bool { return !a.exited },
		func(json.RawMessage, error) {})
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
	peers := filepath.Join(dir, peersFile)
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
	if a.spec.Index != nil {
		env = append(env, "CANVASS_INDEX="+strconv.Itoa(*a.spec.Index))
	}
	t := runner.Task{
		ID: a.jobID, Command: a.spec.Command, Env: append(env, a.spec.Env...), Dir: dir,
		Stdout: n.outputFile(a.name(), "stdout"), Stderr: n.outputFile(a.name(), "stderr"),
		OutputLimit: cmp.Or(a.spec.OutputLimit, jobs.OutputLimit), Grace: a.spec.GraceOf(),
		Signal: int(unix.SignalNum("SIG" + cmp.Or(a.spec.Kill.Signal, "TERM"))),
	}
	if a.spec.Stdin != "" {
		t.Stdin = filepath.Join(dir, stdinFile)
	}
	return n.runner.Start(t)
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
	if exit.Error != "" {
		a.unfit = fmt.Sprintf("%s on host %v", exit.Error, n.self)
		n.reportUnfit(a)
	} else if !a.ended {
		n.passOn(a, exit)
	}
	if a.ended {
		n.processGone(a)
		n.removeWork(a)
	}
	if a.after != nil {
		a.after()
	}
}

// passOn tells of the end of a process: first the custodians of the job, then the muster.
func (n *Node) passOn(a *attempt, exit runner.Exit) {
	end := n.wall()
	told := jobs.Rank{Isolation: n.runner.Isolation(), Begin: a.begun, End: &end}
	failed := exit.Code != 0
	if failed {
		told.Stderr = lastOf(n.outputFile(a.name(), "stderr"), lastLines)
	}
	n.tellRank(a, told, failed, func() {
		n.removeWork(a)
		code := exit.Code
		if exit.Signal > 0 {
			code = 0
		}
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandExited, Code: uint32(code), Signal: uint8(exit.Signal)})
	})
}

// lastOf is the last lines of a file.
func lastOf(name string, most int64) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	out, err := pieceFrom(f, max(0, info.Size()-most), int(most))
	if err != nil {
		return ""
	}
	text := strings.ToValidUTF8(string(out.Data), "?")
	if _, rest, several := strings.Cut(text, "\n"); several && info.Size() > most {
		text = rest
	}
	return strings.TrimRight(text, "\n")
}

// endProcess ends the process of an attempt, if it runs.
func (n *Node) endProcess(a *attempt, grace bool) {
	if a.proc != nil && !a.exited {
		a.proc.Kill(grace)
	}
}
