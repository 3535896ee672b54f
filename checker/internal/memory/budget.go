package memory

import "sync/atomic"

// Budget counts the bytes of the engine's tables against the limit.
type Budget struct {
	Limit    uint64 // 0 means no limit
	Model    uint64 // size of the model's tables, as of the last round
	Used     atomic.Uint64
	Peak     atomic.Uint64
	Exceeded atomic.Bool
}

// Take charges more bytes. If it reports false, they would exceed the limit, and the check must
// end.
func (b *Budget) Take(bytes int) bool { return b.Ask(bytes, true) }

// Ask is like Take, but the check must end only if must is set.
func (b *Budget) Ask(bytes int, must bool) bool {
	used := b.Used.Add(uint64(bytes))
	if b.Limit > 0 && used+b.Model > b.Limit {
		b.Used.Add(-uint64(bytes))
		if must {
			b.Exceeded.Store(true)
		}
		return false
	}
	for peak := b.Peak.Load(); used > peak && !b.Peak.CompareAndSwap(peak, used); peak = b.Peak.Load() {
	}
	return true
}

// Give returns bytes.
func (b *Budget) Give(bytes int) { b.Used.Add(-uint64(bytes)) }

// Observe records the model's figure and reports whether the total is still within the limit.
func (b *Budget) Observe(model uint64) bool {
	b.Model = model
	if b.Limit > 0 && b.Used.Load()+model > b.Limit {
		b.Exceeded.Store(true)
	}
	return !b.Exceeded.Load()
}

// Total is the memory that engine and model hold now.
func (b *Budget) Total() uint64 { return b.Used.Load() + b.Model }
