package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// The words for the files that the task of a job leaves in its working folder.
const (
	litterWord = "litter"
	lockWord   = "lock"
)

const (
	litterFiles    = 300_000 // that one task leaves
	someLitter     = 20_000
	lockedDepth    = 300 // folders in folders
	litterFolder   = 1000
	litterLimit    = 10 * time.Second // within which a task leaves them, or as many as it can
	strangers      = 400              // at a time
	strangersEvery = 500 * time.Millisecond
	strangerPlace  = 200 // the last byte of an address that no daemon has
)

// attacks adds jobs that leave many files or locked folders, floods of strangers, and hostile
// members to a plan. The other faults stay.
func (p *Plan) attacks() {
	r := rand.New(rand.NewPCG(p.Seed, 0x61747461636b73))
	for range p.Bounds.Attacks {
		f := Fault{At: between(r, time.Second, max(time.Second, p.Duration-time.Second))}
		f.Kind = []Kind{Litter, Lock, Flood, Hostile}[r.IntN(4)]
		switch f.Kind {
		case Litter:
			if f.Count = someLitter; r.IntN(2) == 0 {
				f.Count = litterFiles
			}
			f.Nodes = []int{1 + r.IntN(p.Nodes)}
		case Lock:
			f.Nodes = []int{1 + r.IntN(p.Nodes)}
		case Flood:
			f.Nodes = []int{1 + r.IntN(firstPlace)}
			f.For = between(r, time.Second, longest)
		case Hostile:
			f.Nodes = []int{1 + r.IntN(p.Nodes)}
			f.For = between(r, time.Second, longest)
		}
		taken := func(g Fault) bool { return g.At == f.At }
		for slices.ContainsFunc(p.Faults, taken) {
			f.At += milli
		}
		if f.At < p.Duration {
			p.Faults = append(p.Faults, f)
		}
	}
	slices.SortFunc(p.Faults, func(a, b Fault) int { return int(a.At - b.At) })
}

// messes lets a client submit a job whose task leaves the files of the word.
func (r *run) messes(ctx context.Context, number int, f Fault, word string) {
	r.checks.Go(func() { r.workload.mess(ctx, f.Nodes[0]-1, fmt.Sprintf("x%d", number), word) })
}

// mess submits a job of one task that leaves files.
func (w *workload) mess(ctx context.Context, entry int, key, word string) {
	c := &client{w, w.number(), rand.New(rand.NewPCG(w.seed, uint64(entry)))}
	h := w.draw(c.r, key)
	h.entry, h.duration, h.code = entry, 20*milli, 0
	h.spec.Tasks, h.spec.Outputs = 1, nil
	h.spec.Command = append(slices.Clone(w.task), h.duration.String(), "0", word)
	c.submit(ctx, h)
}

// leaveMess is run by the task of such a job.
func leaveMess(word string) error {
	if word == lockWord {
		return leaveLocked()
	}
	count, _ := strings.CutPrefix(word, litterWord)
	n, err := strconv.Atoi(count)
	if err != nil {
		return fmt.Errorf("%q is no word for files: %w", word, err)
	}
	for end, i := trials.BootTime()+litterLimit, 0; i < n && trials.BootTime() < end; i++ {
		folder := fmt.Sprintf("d%d", i/litterFolder)
		if i%litterFolder == 0 {
			if err := os.Mkdir(folder, 0o700); err != nil {
				return err
			}
		}
		f, err := os.Create(filepath.Join(folder, strconv.Itoa(i)))
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// leaveLocked leaves folders without permissions, deep ones, a pipe, and a link to elsewhere.
func leaveLocked() error {
	deep := "deep"
	for range lockedDepth {
		deep += "/d"
	}
	pipe := "locked/\n\x1b[31m"
	for _, err := range []error{
		os.MkdirAll(deep, 0o700), os.Mkdir("locked", 0o700), syscall.Mkfifo(pipe, 0), os.Symlink("/", "locked/root"),
		os.WriteFile("locked/file", nil, 0), os.Mkdir("locked/within", 0), os.Chmod("deep/d", 0o500),
		os.Chmod("locked", 0),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// flood lets strangers connect to a daemon, from its own host and from others: some send nothing,
// some nonsense, and some the beginning of a handshake.
func (r *run) flood(ctx context.Context, f Fault) (bool, string) {
	limited, stop := context.WithTimeout(ctx, f.For)
	var made atomic.Int64
	r.at(trials.BootTime()+f.For, func() {
		stop()
		r.say("%d strangers have come to n%d", made.Load(), f.Nodes[0])
	})
	for i := range strangers {
		r.checks.Go(func() {
			for limited.Err() == nil {
				if r.fabric.stranger(limited, i, f.Nodes[0]-1) {
					made.Add(1)
				}
				trials.Pause(limited, strangersEvery)
			}
		})
	}
	return true, fmt.Sprintf("%d strangers at a time", strangers)
}

// stranger makes one connection to a daemon, and keeps it until the daemon ends it.
func (f *fabric) stranger(ctx context.Context, number, to int) bool {
	from := net.ParseIP(f.address(to))
	if number%2 == 0 {
		from = net.IPv4(127, f.base[0], f.base[1], strangerPlace)
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", f.listen(to))
	if err != nil {
		return false
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	says := [][]byte{nil, []byte("GET / HTTP/1.1\r\n\r\n"), {22, 3, 1, 2, 0, 1}, []byte("CNVS\x01\x00\x00")}
	_, _ = conn.Write(says[number/2%len(says)])
	_, _ = io.Copy(io.Discard, conn)
	return true
}
