package checker

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Several workers that all missed a key and then wait for the lock must get the same id. The test
// holds the lock until they probably wait; if they do not, it tests less but does not fail.
func TestInternerLooksAgainUnderTheLock(t *testing.T) {
	in := NewInterner[int]()
	for i := range in.shards {
		in.shards[i].lock.Lock()
	}
	var group sync.WaitGroup
	var fresh, arrived atomic.Int32
	for range 4 {
		group.Go(func() {
			arrived.Add(1)
			if _, ok := in.Intern([]byte("key"), 0); ok {
				fresh.Add(1)
			}
		})
	}
	for arrived.Load() < 4 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond)
	for i := range in.shards {
		in.shards[i].lock.Unlock()
	}
	group.Wait()
	assert.EqualValues(t, 1, fresh.Load())
	assert.Equal(t, 1, in.Len())
}
