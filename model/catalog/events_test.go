package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/custody"
	"github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/model/lease"
	"github.com/canvass-grid/canvass/model/muster"
	"github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/model/store"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	custodycore "github.com/canvass-grid/canvass/protocol/custody"
	dtmcore "github.com/canvass-grid/canvass/protocol/dtm"
	leasecore "github.com/canvass-grid/canvass/protocol/lease"
	mustercore "github.com/canvass-grid/canvass/protocol/muster"
	peercore "github.com/canvass-grid/canvass/protocol/peer"
	refinecore "github.com/canvass-grid/canvass/protocol/refine"
	reptaskcore "github.com/canvass-grid/canvass/protocol/reptask"
	storecore "github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/traces"
)

// Every event that a core can output is explained.
func TestWordsExplainEvents(t *testing.T) {
	for _, core := range []struct {
		events []string
		words  []traces.Term
	}{
		{(&cancore.Core{}).EventNames(), can.Words()},
		{(&custodycore.Core{}).EventNames(), custody.Words()},
		{(&dtmcore.Core{}).EventNames(), dtm.Words()},
		{(&leasecore.Core{}).EventNames(), lease.Words()},
		{(&mustercore.Core{}).EventNames(), muster.Words()},
		{(&peercore.Core{Config: peercore.Config{Predicts: true}}).EventNames(), peer.Words()},
		{(&refinecore.Core{}).EventNames(), refine.Words()},
		{(&reptaskcore.Core{}).EventNames(), reptask.Words()},
		{(&storecore.Core{}).EventNames(), store.Words()},
	} {
		for _, name := range core.events {
			_, explained := traces.Explain(core.words, traces.EventTerm, name)
			assert.True(t, explained, "no word for the event %q", name)
		}
	}
}
