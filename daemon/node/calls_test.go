package node

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
)

// However many questions wait for a node that is out of reach, they are repeated at a pace that
// leaves time for the rest. One question is repeated soon.
func TestManyQuestionsKeepTheirPace(t *testing.T) {
	const lasts = 20 * time.Second
	silent := protocol.NodeID{Address: 9, Incarnation: 1}
	for _, test := range []struct{ questions, least, most int }{
		{1, int(lasts / callRepeat), int(lasts / callRepeat)},
		{2000, int(lasts/callPace) * 9 / 10, int(lasts / callPace)},
	} {
		s := newSurveyor(t)
		s.trips = always(0)
		for range test.questions {
			s.ask(silent, "echo", nil, 0, nil, ignoreAnswer)
		}
		s.pass(lasts)
		repeated := s.echoes[silent] - test.questions
		assert.LessOrEqual(t, repeated, test.most+int(callRepeat/callPace), test.questions)
		assert.GreaterOrEqual(t, repeated, test.least, test.questions)
	}
}
