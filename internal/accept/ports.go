package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listening is the state of a socket in /proc/net/tcp.
const listening = "0A"

// ports are the TCP ports on which processes listen whose command line has a text.
func (t *trial) ports(text string) (all []int) {
	sockets := map[string]bool{}
	for _, id := range processes(text) {
		open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", id)) // the pattern is a good one
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
			t.demand(err == nil, "%s: %v", table, err)
			all = append(all, int(port))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// free demands that others can listen on ports.
func (t *trial) free(ports []int) {
	for _, p := range ports {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p))
		t.demand(err == nil, "port %d is left: %v", p, err)
		l.Close()
	}
}
