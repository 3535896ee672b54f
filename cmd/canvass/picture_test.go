package main

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	picturedTrace = "../../traces/corpus/published-can-row4-leave-leave.Routable.itf.json"
	picturedStep  = "#step-17"
	pictureFile   = "../../docs/images/replay.png"
)

// TestPicture holds that the picture of the replay page exists and has the size that the README
// shows. With -rewrite it takes the picture again.
func TestPicture(t *testing.T) {
	if *rewrite {
		b := chromium(t)
		address := b.page(t, "picture", madePage(t, picturedTrace)) + picturedStep
		// Three quarters of the usual size: map and diagram are side by side, and all of it fits.
		shot := b.shoot(t, "picture", address, false, "--window-size=1200,1262", "--force-device-scale-factor=0.75")
		require.NoError(t, os.MkdirAll(filepath.Dir(pictureFile), 0o777))
		file, err := os.Create(pictureFile)
		require.NoError(t, err)
		require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(file, shot))
		require.NoError(t, file.Close())
	}
	file, err := os.Open(pictureFile)
	require.NoError(t, err)
	defer file.Close()
	config, err := png.DecodeConfig(file)
	require.NoError(t, err)
	assert.Equal(t, 900, config.Width)
	assert.InDelta(t, 800, config.Height, 200)
}
