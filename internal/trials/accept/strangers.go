package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// halfOpen is the number of simultaneous connections that send nothing, or too little.
const halfOpen = 10_000

// strangersOutside attacks a grid as a stranger without a certificate.
func strangersOutside(t *trial) string {
	g := t.Grid(3)
	witness := endpointOf(g, 1)
	token := func(uses int) string {
		name := filepath.Join(t.Folder, fmt.Sprintf("token%d", uses))
		g.Must("canvass node token create --uses %d > %s", uses, name)
		return name
	}
	join := func(data, token string) trials.Output {
		return g.Sh("canvass node join %s --token %s --listen 127.0.0.1:7499 --data %s", witness, token, data)
	}
	once := token(1)
	t.Demand(join("first", once).Code == 0, "a node with a token could not join")
	again := join("second", once)
	t.Demand(again.Code != 0 && strings.Contains(again.Stderr, "token"), "a token that is used up: %v", again)
	other := t.Grid(3)
	other.Must("canvass node token create > other")
	foreign := join("third", "other")
	t.Demand(foreign.Code != 0, "the token of another grid: %v", foreign)
	t.withoutCertificate(witness)

	flood := t.flood(witness)
	defer flood.stop()
	t.Until(20*time.Second, "a flood", func() bool { return flood.open.Load() >= int64(flood.size)/2 })
	joined := t.Until(time.Minute, "another node in the grid", func() bool {
		return join("fourth",
			token(9)).Code == 0
	})
	g.Kill(2)
	time.Sleep(8 * time.Second) // its connections, and its lease, are gone
	g.Start(2)
	back := t.Until(30*time.Second, "a daemon that takes jobs again", func() bool {
		return t.Sh("timeout 20 canvass run -k 3 --socket %s -- true", g.Socket(2)).Code == 0
	})
	return fmt.Sprintf("tokens that are used up, or of another grid, and connections without a certificate are "+
		"refused; beside %d connections at a time that say nothing or too little, %d in all: a node joined after %.1f s, "+
		"a daemon that was killed ran a job %.1f s after its start. Nodes cannot be revoked yet",
		flood.size, flood.made.Load(), joined.Seconds(), back.Seconds())
}

// endpointOf is where others reach a daemon.
func endpointOf(g *trials.Grid, n int) string {
	var node struct {
		Endpoint string `json:"endpoint"`
	}
	lines := strings.Split(g.Must("canvass node status --json"), "\n")
	g.Demand(len(lines) >= n, "canvass node status --json: %d lines", len(lines))
	err := json.Unmarshal([]byte(lines[n-1]), &node)
	g.Demand(err == nil && node.Endpoint != "", "canvass node status --json: %v, %s", err, trials.Short(lines[n-1]))
	return node.Endpoint
}

// withoutCertificate demands that a daemon ends a connection without a certificate.
func (t *trial) withoutCertificate(endpoint string) {
	raw, err := net.DialTimeout("tcp", endpoint, time.Second)
	t.Demand(err == nil, "%v", err)
	defer raw.Close()
	_ = raw.SetDeadline(time.Now().Add(10 * time.Second))
	secure := tls.Client(raw, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"canvass"}})
	_, err = io.ReadFull(secure, make([]byte, 1))
	t.Demand(err != nil && !strings.Contains(err.Error(), "timeout"), "a stranger without a certificate reads: %v", err)
}

// flood is connections of strangers.
type flood struct {
	size       int
	open, made atomic.Int64
	cancel     context.CancelFunc
	all        sync.WaitGroup
}

// flood opens connections to a daemon, and replaces those the daemon ends.
func (t *trial) flood(endpoint string) *flood {
	ctx, cancel := context.WithCancel(t.Context)
	f := &flood{size: halfOpen, cancel: cancel}
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		f.size = min(f.size, int(limit.Cur)-200) // Go has raised it as far as it may be
	}
	first := [][]byte{nil, []byte("GET / HTTP/1.1\r\n"), {22, 3, 1, 2, 0, 1, 0, 1, 252}}
	for i := range f.size {
		f.all.Go(func() {
			for ctx.Err() == nil {
				f.connect(ctx, endpoint, first[i%len(first)])
			}
		})
	}
	return f
}

// connect opens a connection, and waits for some seconds even if the other side has ended it.
func (f *flood) connect(ctx context.Context, endpoint string, first []byte) {
	dialer := net.Dialer{Timeout: 5 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", endpoint)
	if err == nil {
		f.made.Add(1)
		f.open.Add(1)
		defer f.open.Add(-1)
		defer conn.Close()
		_, _ = conn.Write(first)
	}
	select {
	case <-ctx.Done():
	case <-time.After(5 * time.Second):
	}
}

func (f *flood) stop() {
	f.cancel()
	f.all.Wait()
}
