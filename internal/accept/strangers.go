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
)

// halfOpen is how many connections that say nothing, or not enough, there are at a time.
const halfOpen = 10_000

// strangersOutside tries what somebody without a certificate can do to a grid.
func strangersOutside(t *trial) string {
	g := t.grid(3)
	witness := g.endpoint(1)
	token := func(uses int) string {
		name := filepath.Join(t.folder, fmt.Sprintf("token%d", uses))
		t.must(g, "canvass node token create --uses %d > %s", uses, name)
		return name
	}
	join := func(data, token string) output {
		return t.sh(g, "canvass node join %s --token %s --listen 127.0.0.1:7499 --data %s", witness, token, data)
	}
	once := token(1)
	t.demand(join("first", once).code == 0, "a node with a token could not join")
	again := join("second", once)
	t.demand(again.code != 0 && strings.Contains(again.stderr, "token"), "a token that is used up: %v", again)
	other := t.grid(3)
	t.must(other, "canvass node token create > other")
	foreign := join("third", "other")
	t.demand(foreign.code != 0, "the token of another grid: %v", foreign)
	t.withoutCertificate(witness)

	flood := t.flood(witness)
	defer flood.stop()
	t.until(20*time.Second, "a flood", func() bool { return flood.open.Load() >= int64(flood.size)/2 })
	joined := t.until(time.Minute, "another node in the grid", func() bool {
		return join("fourth",
			token(9)).code == 0
	})
	g.signal(2, syscall.SIGKILL)
	time.Sleep(8 * time.Second) // its connections, and its lease, are gone
	g.start(2)
	back := t.until(30*time.Second, "a daemon that takes jobs again", func() bool {
		return t.sh(nil, "timeout 20 canvass run -k 3 --socket %s -- true", g.socket(2)).code == 0
	})
	return fmt.Sprintf("tokens that are used up, or of another grid, and connections without a certificate are "+
		"refused; beside %d connections at a time that say nothing or too little, %d in all: a node joined after %.1f s, "+
		"a daemon that was killed ran a job %.1f s after its start. Nodes cannot be revoked yet",
		flood.size, flood.made.Load(), joined.Seconds(), back.Seconds())
}

// endpoint is where others reach a daemon.
func (g *grid) endpoint(n int) string {
	var node struct {
		Endpoint string `json:"endpoint"`
	}
	lines := strings.Split(g.must(g, "canvass node status --json"), "\n")
	g.demand(len(lines) >= n, "canvass node status --json: %d lines", len(lines))
	err := json.Unmarshal([]byte(lines[n-1]), &node)
	g.demand(err == nil && node.Endpoint != "", "canvass node status --json: %v, %s", err, short(lines[n-1]))
	return node.Endpoint
}

// withoutCertificate demands that a daemon ends connections of those that have none.
func (t *trial) withoutCertificate(endpoint string) {
	raw, err := net.DialTimeout("tcp", endpoint, time.Second)
	t.demand(err == nil, "%v", err)
	defer raw.Close()
	_ = raw.SetDeadline(time.Now().Add(10 * time.Second))
	secure := tls.Client(raw, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"canvass"}})
	_, err = io.ReadFull(secure, make([]byte, 1))
	t.demand(err != nil && !strings.Contains(err.Error(), "timeout"), "somebody without a certificate reads: %v", err)
}

// flood is connections of strangers.
type flood struct {
	size       int
	open, made atomic.Int64
	cancel     context.CancelFunc
	all        sync.WaitGroup
}

// flood opens connections to a daemon, and others in place of those that it ends.
func (t *trial) flood(endpoint string) *flood {
	ctx, cancel := context.WithCancel(t.ctx)
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

// connect opens a connection, and keeps it for some seconds, also if the other side has ended it.
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
