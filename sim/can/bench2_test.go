package can

import (
	"testing"

	"github.com/canvass-grid/canvass/sim"
)

func BenchmarkWorlds(b *testing.B) {
	for _, w := range Worlds() {
		b.Run(w.Name()[4:], func(b *testing.B) {
			for i := range b.N {
				if _, err := w.Run(w.Draw(uint64(i)), sim.RunOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
