package lease

import "github.com/canvass-grid/canvass/checker"

// Sketch is a state of the whole system: the views of the server and two clients.
type Sketch struct {
	Lent  byte    // the client to which the server has lent the lock, 1 or 2; 0: none
	Holds [3]bool // which clients act as holders; index 0 is unused
}

// NewSketch returns the model. A patient server's record expires only after the client's lease.
func NewSketch(patient bool) *checker.ValueModel[Sketch] {
	return checker.Of(checker.Spec[Sketch]{
		Init:     []Sketch{{}},
		Classes:  []checker.Class{{Name: "lend"}, {Name: "lapse"}, {Name: "expire"}},
		Stutters: true,
		Next: func(s Sketch, yield func(class int, next Sketch)) {
			for client := byte(1); client <= 2; client++ {
				next := s
				if s.Lent == 0 {
					next.Lent, next.Holds[client] = client, true
					yield(0, next)
				}
				next = s
				if s.Holds[client] {
					next.Holds[client] = false
					yield(1, next)
				}
			}
			if s.Lent != 0 && !(patient && s.Holds[s.Lent]) {
				next := s
				next.Lent = 0
				yield(2, next)
			}
		},
		Encode: func(dst []byte, s Sketch) []byte {
			code := s.Lent
			for client, holds := range s.Holds {
				if holds {
					code |= 4 << client
				}
			}
			return append(dst, code)
		},
		Properties: []checker.Predicate[Sketch]{
			{
				Property: checker.Property{Name: "OneHolder", Doc: "no two clients hold the lock", Shape: checker.Always},
				Holds:    func(s Sketch) bool { return !s.Holds[1] || !s.Holds[2] },
			},
			{
				Property: checker.Property{Name: "Lends", Doc: "a client holds the lock", Shape: checker.Sometimes},
				Holds:    func(s Sketch) bool { return s.Holds[1] },
			},
		},
	})
}
