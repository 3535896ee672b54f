package checker

import "sync/atomic"

// budget counts the bytes of the engine's tables against the limit.
type budget struct {
	limit    uint64 // 0 means none
	model    uint64 // what the model said its tables hold, as of the last round
	used     atomic.Uint64
	peak     atomic.Uint64
	exceeded atomic.Bool
}

// take asks for more bytes. If it reports false the limit would be passed, and the check must end.
func (b *budget) take(bytes int) bool { return b.ask(bytes, true) }

// ask is take, where only a must makes the check end.
func (b *budget) ask(bytes int, must bool) bool {
	used := b.used.Add(uint64(bytes))
	if b.limit > 0 && used+b.model > b.limit {
		b.used.Add(-uint64(bytes))
		if must {
			b.exceeded.Store(true)
		}
		return false
	}
	for peak := b.peak.Load(); used > peak && !b.peak.CompareAndSwap(peak, used); peak = b.peak.Load() {
	}
	return true
}

// give returns bytes.
func (b *budget) give(bytes int) { b.used.Add(-uint64(bytes)) }

// observe takes the model's figure and reports whether all is still within the limit.
func (b *budget) observe(model uint64) bool {
	b.model = model
	if b.limit > 0 && b.used.Load()+model > b.limit {
		b.exceeded.Store(true)
	}
	return !b.exceeded.Load()
}

// total is what engine and model hold now.
func (b *budget) total() uint64 { return b.used.Load() + b.model }
