package node

import "github.com/canvass-grid/canvass/protocol"

// made is the folder of a daemon that canvass node init or join has made.
type made struct {
	Version  int             `json:"version"`
	Node     protocol.NodeID `json:"node"`
	Name     string          `json:"name"` // of its key
	Grid     string          `json:"grid"`
	Data     string          `json:"data"`
	Endpoint string          `json:"endpoint"`
	Witness  bool            `json:"witness,omitempty"`
}

// ready is a grid of canvass dev.
type ready struct {
	Version int         `json:"version"`
	Socket  string      `json:"socket"` // of the first daemon
	Daemons []devDaemon `json:"daemons"`
}

type devDaemon struct {
	Node     protocol.NodeID `json:"node"`
	Endpoint string          `json:"endpoint"`
	Data     string          `json:"data"`
	Socket   string          `json:"socket"`
	Log      string          `json:"log"`
}
