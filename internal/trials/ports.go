package trials

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listening is the state of a socket in /proc/net/tcp.
const listening = "0A"

// Ports lists the TCP ports on which processes listen whose command line contains a text.
func Ports(text string) (all []int, err error) {
	sockets := map[string]bool{}
	for _, p := range WithText(text) {
		open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.PID)) // the pattern is a good one
		for _, name := range open {
			if to, err := os.Readlink(name); err == nil {
				sockets[strings.TrimSuffix(strings.TrimPrefix(to, "socket:["), "]")] = true
			}
		}
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue // without IPv6
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			words := strings.Fields(lines.Text())
			if len(words) < 10 || words[3] != listening || !sockets[words[9]] {
				continue
			}
			port, err := strconv.ParseInt(words[1][strings.LastIndex(words[1], ":")+1:], 16, 32)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", table, err)
			}
			all = append(all, int(port))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
