package pieces_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/pieces"
	"github.com/canvass-grid/canvass/protocol"
)

func Example() {
	folder, err := os.MkdirTemp("", "pieces")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "greeting")
	if err := os.WriteFile(name, []byte("hello, world"), 0o600); err != nil {
		panic(err)
	}
	has := pieces.New(func(name []byte) (*os.File, error) { return os.Open(filepath.Join(folder, string(name))) })
	asks := pieces.New(nil) // nobody asks it
	asks.Connect(func(to protocol.NodeID, payload []byte) { _ = has.Receive(here, payload) })
	has.Connect(func(to protocol.NodeID, payload []byte) { go func() { _ = asks.Receive(there, payload) }() })

	r := asks.Open(context.Background(), there, []byte("greeting"), 7, 12)
	defer r.Close()
	text, err := io.ReadAll(r)
	fmt.Println(string(text), err)
	// Output: world <nil>
}
