package flight_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/space"
)

// The cores are stepped with the configuration in a header.
func TestCores(t *testing.T) {
	s, err := space.New(1, 16, 32)
	require.NoError(t, err)
	config := peer.DefaultConfig(s, 4, 8, 100)
	config.Apart, config.HopLimit = true, 7
	for _, k := range []flight.CoreKind{flight.PeerKind(1, config), flight.MusterKind(2, muster.DefaultConfig())} {
		got, err := flight.Cores(k)
		require.NoError(t, err)
		switch k.Kind {
		case 1:
			assert.Equal(t, flight.Steps(&peer.Core{Config: config}), got)
		case 2:
			assert.Equal(t, flight.Steps(&muster.Core{Config: muster.DefaultConfig()}), got)
		}
	}
	for _, k := range []flight.CoreKind{
		{Name: "unknown"},
		{Name: "peer", Config: []byte("{}")},
		{Name: "peer", Config: []byte(`{"New": 1}`)},
		{Name: "muster", Config: []byte("no JSON")},
		{Name: "muster"},
	} {
		_, err := flight.Cores(k)
		assert.ErrorIs(t, err, flight.ErrCore)
	}
}
