package driver

import (
	"container/heap"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// Tick is the unit of the durations that cores ask for.
const Tick = 10 * time.Millisecond

// named is a timer of a core.
type named struct {
	core  CoreID
	timer protocol.Timer
}

// alarm is one time that a timer was set. It counts only while the timer's round is its own.
type alarm struct {
	at time.Duration
	named
	round uint64
}

// timers are pending timers, by time.
type timers struct {
	queue   alarms
	pending map[named]alarm
	ofKind  map[uint8]int // how many are pending, by the kind of their core
	last    uint64
}

func newTimers() timers { return timers{pending: map[named]alarm{}, ofKind: map[uint8]int{}} }

// set starts a timer, or starts it afresh.
func (t *timers) set(n named, at time.Duration) {
	if _, again := t.pending[n]; !again {
		t.ofKind[n.core.Kind]++
	}
	t.last++
	t.pending[n] = alarm{at, n, t.last}
	heap.Push(&t.queue, t.pending[n])
}

func (t *timers) cancel(n named) {
	if _, is := t.pending[n]; is {
		delete(t.pending, n)
		t.ofKind[n.core.Kind]--
	}
}

// current reports whether the alarm is of the time that its timer was set last, and not cancelled.
func (t *timers) current(a alarm) bool { return t.pending[a.named].round == a.round }

// next returns when the first pending timer is due.
func (t *timers) next() (at time.Duration, ok bool) {
	for len(t.queue) > 0 && !t.current(t.queue[0]) {
		heap.Pop(&t.queue)
	}
	if len(t.queue) == 0 {
		return 0, false
	}
	return t.queue[0].at, true
}

// due takes a timer that is due from the queue. Its timer stays pending until it fires.
func (t *timers) due(now time.Duration) (alarm, bool) {
	if at, ok := t.next(); !ok || at > now {
		return alarm{}, false
	}
	return heap.Pop(&t.queue).(alarm), true
}

// forget cancels all timers of a core.
func (t *timers) forget(core CoreID) {
	for n := range t.pending {
		if n.core == core {
			t.cancel(n)
		}
	}
}

// alarms is a heap by time, then by the order in which they were set.
type alarms []alarm

func (a alarms) Len() int { return len(a) }
func (a alarms) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].round < a[j].round
}
func (a alarms) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *alarms) Push(x any)   { *a = append(*a, x.(alarm)) }
func (a *alarms) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}
