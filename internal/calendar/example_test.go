package calendar_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/calendar"
)

func ExampleHeap() {
	var h calendar.Heap[string]
	h.Push(calendar.Event[string]{At: 20, Order: 1, Value: "end"})
	h.Push(calendar.Event[string]{At: 10, Order: 3, Value: "second submission"})
	h.Push(calendar.Event[string]{At: 10, Order: 2, Value: "first submission"})
	for h.NextAt() < calendar.Never {
		e := h.Pop()
		fmt.Println(e.At, e.Value)
	}
	// Output:
	// 10 first submission
	// 10 second submission
	// 20 end
}
