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

// simFigures is the result for one size. Fields are added, never changed.
type simFigures struct {
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

// simulator measures how many messages the simulator delivers in a second of processor time in a
// quiescent CAN, whose nodes send an update to their neighbours once a second, and how much memory
// a node takes.
//
// It counts the processor time of the whole process, with the garbage collector, because that can
// be compared even on a shared machine. The nodes are members from the beginning, with the
// neighbour tables that the core would have made. Latencies are exponential with a mean of 50 ms.
// The measurement begins when every node has received from each of its neighbours. It counts steps
// that are taken from the cache (see package sim) and steps that are executed.
func simulator(args []string) error {
	f := flag.NewFlagSet("bench sim", flag.ContinueOnError)
	asJSON := f.Bool("json", false, "no table before the objects")
	messages := f.Uint64("messages", 8_000_000, "about how many messages to deliver for each size")
	if err := f.Parse(args); err != nil {
		return err
	}
	sizes := []int{1_000, 10_000, 100_000}
	if f.NArg() > 0 {
		sizes = nil
		for _, arg := range f.Args() {
			n, err := strconv.Atoi(arg)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is not a number of nodes", arg)
			}
			sizes = append(sizes, n)
		}
	}
	if !*asJSON {
		fmt.Printf("%9s  %12s  %10s  %11s  %8s  %8s\n", "NODES", "MESSAGES/S", "BYTES/NODE", "MESSAGES", "CPU S", "BUILD S")
	}
	var all []simFigures
	for _, n := range sizes {
		m := measuredSize(n, *messages)
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
			return err
		}
	}
	return nil
}

func measuredSize(nodes int, messages uint64) simFigures {
	begun := time.Now()
	before := live()
	c := can.Steady(nodes, 1, sim.Exponential(50_000))
	m := simFigures{Nodes: nodes, BuildSeconds: time.Since(begun).Seconds()}
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
