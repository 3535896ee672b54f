package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// measure is the result for one size. Fields are added, never changed.
type measure struct {
	Nodes             int     `json:"nodes"`
	MessagesPerSecond float64 `json:"messages_per_second"` // of processor time
	BytesPerNode      uint64  `json:"bytes_per_node"`      // live after a collection
	Messages          uint64  `json:"messages"`
	Steps             uint64  `json:"steps"`          // executed by the core
	Remembered        uint64  `json:"remembered"`     // taken from the cache
	CPUSeconds        float64 `json:"cpu_seconds"`    // of the process
	WallSeconds       float64 `json:"wall_seconds"`   //
	BuildSeconds      float64 `json:"build_seconds"`  // wall: placing the nodes
	WarmUpSeconds     float64 `json:"warmup_seconds"` // wall: until each node has received from all its neighbours
}

func main() {
	asJSON := flag.Bool("json", false, "no table before the objects")
	messages := flag.Uint64("messages", 8_000_000, "deliver about so many messages a size")
	flag.Parse()
	sizes := []int{1_000, 10_000, 100_000}
	if flag.NArg() > 0 {
		sizes = nil
		for _, arg := range flag.Args() {
			n, err := strconv.Atoi(arg)
			if err != nil || n < 1 {
				fmt.Fprintf(os.Stderr, "simbench: %q is not a number of nodes\n", arg)
				os.Exit(2)
			}
			sizes = append(sizes, n)
		}
	}
	if !*asJSON {
		fmt.Printf("%9s  %12s  %10s  %11s  %8s  %8s\n", "NODES", "MESSAGES/S", "BYTES/NODE", "MESSAGES", "CPU S", "BUILD S")
	}
	var all []measure
	for _, n := range sizes {
		m := measured(n, *messages)
		if all = append(all, m); !*asJSON {
			fmt.Printf(
				"%9d  %12.0f  %10d  %11d  %8.2f  %8.2f\n",
				m.Nodes,
				m.MessagesPerSecond,
				m.BytesPerNode,
				m.Messages,
				m.CPUSeconds,
				m.BuildSeconds,
			)
		}
	}
	enc := json.NewEncoder(os.Stdout)
	for _, m := range all {
		if err := enc.Encode(m); err != nil {
			fmt.Fprintln(os.Stderr, "simbench:", err)
			os.Exit(1)
		}
	}
}

const second = 1_000_000

// warmUp is long enough for each node to receive from all its neighbours.
const warmUp = 3 * second

func measured(nodes int, messages uint64) measure {
	begun := time.Now()
	before := live()
	c := can.Steady(nodes, 1, sim.Exponential(50_000))
	m := measure{Nodes: nodes, BuildSeconds: time.Since(begun).Seconds()}
	begun = time.Now()
	c.RunUntil(warmUp, nil)
	m.WarmUpSeconds = time.Since(begun).Seconds()
	m.BytesPerNode = (live() - before) / uint64(nodes)
	first, cpu, wall := c.Stats(), cpuSeconds(), time.Now()
	for c.Stats().Delivered-first.Delivered < messages {
		c.RunUntil(c.Now()+second/4, nil)
	}
	m.CPUSeconds, m.WallSeconds = cpuSeconds()-cpu, time.Since(wall).Seconds()
	last := c.Stats()
	m.Messages, m.Steps = last.Delivered-first.Delivered, last.Steps-first.Steps
	m.Remembered = last.Remembered - first.Remembered
	m.MessagesPerSecond = float64(m.Messages) / m.CPUSeconds
	runtime.KeepAlive(c)
	return m
}

// live is the memory in use.
func live() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// cpuSeconds is the processor time that the process has used.
func cpuSeconds() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
