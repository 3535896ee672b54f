package local

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// endGrace is how long daemons have to end by themselves.
const endGrace = 5 * time.Second

// Grid is a grid on one machine.
type Grid struct {
	Folder string // has a folder n1, n2, … for each daemon
	Binary string // with a command "node agent --data DIR --shutdown-deadline TIME"
	Nodes  int

	// Shutdown is how long a daemon takes at most to leave after SIGTERM; 0: it ends at once. End
	// does not wait for that.
	Shutdown time.Duration

	// Shape changes the configuration of a daemon before it is saved. Nil changes nothing.
	Shape func(i int, c *config.Config)

	agents []*exec.Cmd // nil: was not started; ended agents stay
	alive  []bool
	ended  chan int
}

// Data is the folder of a daemon, counted from 0.
func (g *Grid) Data(i int) string { return filepath.Join(g.Folder, "n"+strconv.Itoa(i+1)) }

// Log is the file to which a daemon writes its log.
func (g *Grid) Log(i int) string { return filepath.Join(g.Data(i), "log") }

// Socket is where users reach a daemon.
func (g *Grid) Socket(i int) string { return config.Socket(g.Data(i)) }

// witnesses is how many of the daemons give leases: three, so that any one may fail.
func witnesses(nodes int) int {
	if nodes < 3 {
		return 1
	}
	return 3
}

// Make makes a certificate authority, whose key the first daemon gets, and a folder for each
// daemon.
func (g *Grid) Make() error {
	g.agents, g.alive = make([]*exec.Cmd, g.Nodes), make([]bool, g.Nodes)
	g.ended = make(chan int, 1024)
	authority, err := identity.NewGrid(time.Now())
	if err != nil {
		return err
	}
	endpoints, err := freeEndpoints(g.Nodes)
	if err != nil {
		return err
	}
	configs := make([]config.Config, g.Nodes)
	var shared config.Grid
	var contacts []config.Contact
	for i := range configs {
		address, err := g.enrol(authority, i)
		if err != nil {
			return err
		}
		if i == 0 {
			shared = config.DefaultGrid(address, witnesses(g.Nodes))
		}
		c := &configs[i]
		*c = config.Config{Listen: endpoints[i], CPUs: runtime.NumCPU(), Grid: shared, Dev: true}
		if g.Shape != nil {
			g.Shape(i, c)
		}
		if slices.Contains(shared.Witnesses, address) {
			contacts = append(contacts, config.Contact{Address: address, Endpoint: endpoint(c)})
		}
	}
	if err := authority.Save(g.Data(0)); err != nil {
		return err
	}
	for i := range configs {
		configs[i].Contacts = contacts
		if err := configs[i].Save(g.Data(i)); err != nil {
			return err
		}
	}
	return nil
}

// enrol makes the folder of a daemon, with its identity.
func (g *Grid) enrol(authority *identity.Authority, i int) (protocol.Address, error) {
	address, err := authority.Next()
	if err != nil {
		return 0, err
	}
	id, err := authority.Enrol(address, time.Now())
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(g.Data(i), 0o700); err != nil {
		return 0, err
	}
	return address, id.Save(g.Data(i))
}

// endpoint is where others reach a daemon that listens at a fixed port.
func endpoint(c *config.Config) string {
	if c.Advertise != "" {
		return c.Advertise
	}
	return c.Listen
}

// freeEndpoints are ports of this machine that are free now.
func freeEndpoints(n int) (free []string, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // once all are known: no port comes twice
		free = append(free, l.Addr().String())
	}
	return free, nil
}

// Start starts a daemon that does not run. Its log is continued.
func (g *Grid) Start(i int) error {
	log, err := os.OpenFile(g.Log(i), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	agent := exec.Command(g.Binary, "node", "agent", "--data", g.Data(i), "--shutdown-deadline", g.Shutdown.String())
	agent.Stdout, agent.Stderr = log, log
	agent.SysProcAttr = ownGroup()
	begun := make(chan error)
	go func() {
		runtime.LockOSThread() // the signal comes when the thread that started the process ends
		err := agent.Start()
		begun <- err
		if err == nil {
			_ = agent.Wait() // its state says how it has ended
			g.ended <- i
		}
		_ = log.Close()
	}()
	if err := <-begun; err != nil {
		return fmt.Errorf("starting daemon n%d: %w", i+1, err)
	}
	g.agents[i], g.alive[i] = agent, true
	return nil
}

// Ended receives the number of each daemon that has ended. The receiver calls Gone with it.
func (g *Grid) Ended() <-chan int { return g.ended }

// Gone notes that a daemon has ended, and returns how.
func (g *Grid) Gone(i int) *os.ProcessState {
	g.alive[i] = false
	return g.agents[i].ProcessState
}

// Alive reports that a daemon was started and that Gone was not called since.
func (g *Grid) Alive(i int) bool { return g.alive[i] }

// PID is the process of a daemon that is alive.
func (g *Grid) PID(i int) int { return g.agents[i].Process.Pid }

// Running is how many daemons are alive.
func (g *Grid) Running() (n int) {
	for _, alive := range g.alive {
		if alive {
			n++
		}
	}
	return n
}

// End ends all daemons and waits for them. It returns the daemons that had to be killed.
func (g *Grid) End() (killed []int) {
	end := syscall.SIGTERM
	if g.Shutdown > 0 { // all daemons end together: none of them can leave to the others
		end = syscall.SIGINT
	}
	for i, alive := range g.alive {
		if alive {
			_ = g.agents[i].Process.Signal(end) // it may have ended
		}
	}
	late := time.After(endGrace)
	for g.Running() > 0 {
		select {
		case i := <-g.ended:
			g.Gone(i)
		case <-late:
			for i, alive := range g.alive {
				if alive {
					killed = append(killed, i)
					_ = g.agents[i].Process.Kill()
				}
			}
		}
	}
	return killed
}
