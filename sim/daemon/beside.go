package daemon

// beside runs what a daemon has done beside its goroutine. One function runs at a time, while the
// daemon rests: from its beginning or the end of a wait to its end or the next wait. So a run with
// goroutines is a function of its plan, too.
type beside struct {
	m       *machine
	rested  chan struct{} // the function that runs has ended, or waits
	waiting []waiting
	over    bool // the incarnation has ended
}

// waiting is a function that waits.
type waiting struct {
	done <-chan struct{}
	goes chan<- bool
}

// besideMicros is how long it takes at most until a function begins, and slowMicros until one does
// that has to wait for its disk.
const (
	besideMicros = second / 20
	slowMicros   = 8 * second
)

func newBeside(m *machine) *beside { return &beside{m: m, rested: make(chan struct{})} }

// start has a function begin soon.
func (b *beside) start(f func()) {
	most := int64(besideMicros)
	if b.m.chance.Of(1, 10) {
		most = slowMicros
	}
	b.m.after(b.m.chance.Between(0, most), func() {
		go func() {
			f()
			b.rested <- struct{}{}
		}()
		<-b.rested
	})
}

// await lets a function wait. It returns false when the incarnation has ended.
func (b *beside) await(done <-chan struct{}) bool {
	if b.over {
		return false
	}
	goes := make(chan bool)
	b.waiting = append(b.waiting, waiting{done, goes})
	b.rested <- struct{}{}
	return <-goes
}

// resume lets those go on that wait no longer. It reports whether any did.
func (b *beside) resume() (some bool) {
	for _, w := range b.take() {
		select {
		case <-w.done:
			some = true
			w.goes <- true
			<-b.rested
		default:
			b.waiting = append(b.waiting, w)
		}
	}
	return some
}

func (b *beside) take() []waiting {
	all := b.waiting
	b.waiting = nil
	return all
}

// end ends all that wait.
func (b *beside) end() {
	b.over = true
	for _, w := range b.take() {
		w.goes <- false
		<-b.rested
	}
}
