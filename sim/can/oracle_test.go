package can

import (
	"testing"

	"github.com/stretchr/testify/assert"

	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// A promise keeps a node out of other rounds.
func TestPromises(t *testing.T) {
	id := func(a protocol.Address) protocol.NodeID { return protocol.NodeID{Address: a, Incarnation: 1} }
	promised := func(a protocol.Address) canmodel.View { return canmodel.View{Promised: id(a)} }
	for name, test := range map[string]struct {
		before, after canmodel.View
		want          string
	}{
		"a promise":            {canmodel.View{}, promised(1), ""},
		"the same promise":     {promised(1), promised(1), ""},
		"a promise ended":      {promised(1), canmodel.View{Proposing: true}, ""},
		"a second promise":     {promised(1), promised(2), "OneRound"},
		"a round in a promise": {promised(1), canmodel.View{Promised: id(1), Proposing: true}, "OneRound"},
		"a grant in a promise": {canmodel.View{Handing: true}, canmodel.View{Promised: id(1), Handing: true}, "OneRound"},
	} {
		j := newOracle(nil, 3)
		j.checkPromised(&test.before, &test.after)
		broken, _ := j.Broken()
		assert.Equal(t, test.want, broken, name)
	}
}

// Neither the version nor the epoch of a neighbour in a node's records decreases.
func TestRecordsBecomeNoOlder(t *testing.T) {
	record := func(a protocol.Address, epoch uint32) can.Record {
		return can.Record{ID: protocol.NodeID{Address: a, Incarnation: 1}, Version: 5, Epoch: epoch}
	}
	stale := record(4, 3)
	stale.Version--
	knew := []can.Record{record(1, 3), record(4, 2)}
	for name, test := range map[string]struct {
		knows []can.Record
		want  string
	}{
		"the same":      {knew, ""},
		"more":          {[]can.Record{record(1, 4), record(2, 0), record(4, 2)}, ""},
		"less":          {[]can.Record{record(0, 0), record(1, 3), record(4, 1)}, "NoOldNews"},
		"older version": {[]can.Record{record(1, 3), stale}, "NoOldNews"},
		"it is unknown": {[]can.Record{record(2, 0)}, ""},
	} {
		j := newOracle(nil, 3)
		j.checkNews(&can.State{Known: test.knows}, knew)
		broken, _ := j.Broken()
		assert.Equal(t, test.want, broken, name)
	}
}
