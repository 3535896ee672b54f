package dtm

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// Core is the published protocol, as drivers take it. Encodings and texts are those of the
// corrected core.
type Core struct{ dtm.Core }

var _ protocol.Core[dtm.State, dtm.Message, dtm.Command] = (*Core)(nil)

// Step is one node: it returns the next state and the output for an input. It is pure.
func (c *Core) Step(s dtm.State, in dtm.Input) (dtm.State, dtm.Output) { return Step(s, in) }
