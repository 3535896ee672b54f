package config

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// ErrConfig says that a configuration cannot be used.
var ErrConfig = errors.New("unusable configuration")

// Contact is where another daemon listens.
type Contact struct {
	Address  protocol.Address `json:"address"`
	Endpoint string           `json:"endpoint"`
}

// Config is the configuration of a daemon. It is kept in its folder.
type Config struct {
	Listen    string    `json:"listen"`              // host:port for other daemons
	Advertise string    `json:"advertise"`           // where they reach it
	DialFrom  string    `json:"dial_from,omitempty"` // local address of the links that it begins; empty: any
	Contacts  []Contact `json:"contacts,omitempty"`  // daemons to begin with
	CPUs      int       `json:"cpus"`
	MemoryGiB int       `json:"memory_gib"`
	Grid      Grid      `json:"grid"`

	// Dev marks a daemon of canvass dev: its jobs belong to the user who made the grid, and run as
	// that user, even root, no matter how much can be hidden from them.
	Dev bool `json:"dev,omitempty"`
}

const (
	File        = "config.json" // the name of the file in the folder
	configLimit = 1 << 20       // bytes of it
)

// Save writes the configuration into a folder.
func (c *Config) Save(folder string) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return fileio.WritePrivate(filepath.Join(folder, File), append(text, '\n'))
}

// Load reads the configuration of a folder.
func Load(folder string) (Config, error) {
	var c Config
	file := filepath.Join(folder, File)
	text, err := fileio.Read(file, configLimit)
	if errors.Is(err, os.ErrNotExist) {
		return c, fmt.Errorf("%w: there is no %s; canvass node init makes a grid, canvass node join enters one",
			ErrConfig, file)
	}
	if err != nil {
		return c, fmt.Errorf("%w: %w; %s", ErrConfig, err, cmp.Or(fileio.Remedy(err), restore))
	}
	if err := fileio.JSON(text, &c); err != nil {
		return c, fmt.Errorf("%w: %s: %w; %s", ErrConfig, file, err, restore)
	}
	return c, c.validate(file)
}

// restore is the remedy for an invalid configuration.
const restore = "restore it from a backup, or join the machine again"

func (c *Config) validate(file string) error {
	switch {
	case c.Grid.Wire == 0:
		return fmt.Errorf("%w: %s has no configuration of the grid; %s", ErrConfig, file, restore)
	case c.Grid.Wire != Wire:
		return fmt.Errorf("%w: %s: the grid uses wire version %d, this build %d", ErrConfig, file, c.Grid.Wire, Wire)
	case c.CPUs < 1 || c.CPUs >= cpuSize:
		return fmt.Errorf("%w: %s: cpus is %d; want 1 to %d", ErrConfig, file, c.CPUs, cpuSize-1)
	case c.MemoryGiB < 0 || c.MemoryGiB >= memorySize:
		return fmt.Errorf("%w: %s: memory_gib is %d; want 0 to %d", ErrConfig, file, c.MemoryGiB, memorySize-1)
	case c.DialFrom != "" && net.ParseIP(c.DialFrom) == nil:
		return fmt.Errorf("%w: %s: dial_from is %q; want an IP address of this machine", ErrConfig, file, c.DialFrom)
	}
	if err := c.endpoints(file); err != nil {
		return err
	}
	if err := c.Grid.validate(); err != nil {
		return fmt.Errorf("%w: %s: %w; %s", ErrConfig, file, err, restore)
	}
	return nil
}

// endpoints demands endpoints at which the daemon can listen, and which others can dial.
func (c *Config) endpoints(file string) error {
	if err := CheckEndpoint(c.Listen); err != nil && !strings.HasSuffix(c.Listen, ":0") { // any free port
		return fmt.Errorf("%w: %s: listen: %w", ErrConfig, file, err)
	}
	if c.Advertise != "" {
		if err := CheckAdvertised(c.Advertise); err != nil {
			return fmt.Errorf("%w: %s: advertise: %w", ErrConfig, file, err)
		}
	}
	for _, contact := range c.Contacts {
		if err := CheckAdvertised(contact.Endpoint); err != nil {
			return fmt.Errorf("%w: %s: contacts: %w", ErrConfig, file, err)
		}
	}
	return nil
}

// CheckEndpoint demands a host, which may be empty, and a port that is the same tomorrow.
func CheckEndpoint(endpoint string) error {
	_, port, err := net.SplitHostPort(endpoint)
	if err != nil {
		return fmt.Errorf("%q is no endpoint; want HOST:PORT", endpoint)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return fmt.Errorf("%q has no port that others can reach; want HOST:PORT with a port from 1 to 65535", endpoint)
	}
	return nil
}

// CheckAdvertised demands an endpoint that others can dial, today and tomorrow.
func CheckAdvertised(endpoint string) error {
	if err := CheckEndpoint(endpoint); err != nil {
		return err
	}
	host, _, _ := net.SplitHostPort(endpoint) // checked above
	ip, err := netip.ParseAddr(host)
	if host == "" || err == nil && ip.Unmap().IsUnspecified() {
		return fmt.Errorf("%q names no machine, and others must reach this daemon; want its name or address", endpoint)
	}
	return nil
}

// Resolve demands that the name in an endpoint stands for an address, as far as this machine knows.
func Resolve(endpoint string) error {
	ctx, cancel := context.WithTimeout(context.Background(), resolveLimit)
	defer cancel()
	host, _, err := net.SplitHostPort(endpoint)
	if err == nil && host != "" {
		_, err = net.DefaultResolver.LookupHost(ctx, host)
	}
	return err
}

// resolveLimit is how long the start of a daemon, or its making, waits for a name server.
const resolveLimit = 5 * time.Second

// Place is the node's point on the map. The core draws the virtual coordinate.
func (c *Config) Place() space.Point {
	return space.Point{int32(c.CPUs), int32(c.MemoryGiB)}
}

// KillBudget is how long an incarnation may take to end once its lease has run out.
func (c *Config) KillBudget() time.Duration {
	leases := c.Grid.Lease()
	return driver.Tick * time.Duration(leases.KillTicks)
}
