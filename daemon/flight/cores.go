package flight

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// The names of the cores of a daemon.
const (
	peerName   = "peer"
	musterName = "muster"
	leaseName  = "lease"

	custodyName = "custody"

	placementName = "placement"
)

// PeerKind describes package peer in a header.
func PeerKind(kind uint8, c peer.Config) CoreKind { return kindOf(kind, peerName, c) }

// MusterKind describes package muster in a header.
func MusterKind(kind uint8, c muster.Config) CoreKind { return kindOf(kind, musterName, c) }

// LeaseKind describes package lease in a header.
func LeaseKind(kind uint8, c lease.Config) CoreKind { return kindOf(kind, leaseName, c) }

// CustodyKind is the entry of a header for cores of package custody.
func CustodyKind(kind uint8, c custody.Config) CoreKind { return kindOf(kind, custodyName, c) }

// PlacementKind is the entry of a header for cores of package placement.
func PlacementKind(kind uint8, c placement.Config) CoreKind { return kindOf(kind, placementName, c) }

func kindOf(kind uint8, name string, config any) CoreKind {
	return CoreKind{Kind: kind, Name: name, Config: encodeConfig(config)}
}

// Cores returns the stepper of a kind, for Verify. Errors wrap [ErrCore].
func Cores(k CoreKind) (Stepper, error) {
	switch k.Name {
	case peerName:
		core := &peer.Core{}
		return configured(Steps(core), k, &core.Config, core.Config.Validate)
	case musterName:
		core := &muster.Core{}
		return configured(Steps(core), k, &core.Config, core.Config.Validate)
	case leaseName:
		core := &lease.Core{}
		return configured(Steps(core), k, &core.Config, core.Config.Validate)
	case placementName:
		core := &placement.Core{}
		return configured(Steps(core), k, &core.Config, core.Config.Validate)
	case custodyName:
		core := &custody.Core{}
		return configured(Steps(core), k, &core.Config, core.Config.Validate)
	}
	return nil, fmt.Errorf("%w: this build has no core of that name", ErrCore)
}

// configured returns a stepper whose core takes its configuration from a header.
func configured(s Stepper, k CoreKind, config any, validate func() error) (Stepper, error) {
	if err := decodeConfig(k.Config, config, validate); err != nil {
		return nil, err
	}
	return s, nil
}

func encodeConfig(c any) []byte {
	text, err := json.Marshal(c)
	if err != nil {
		panic("flight: a configuration of a core is numbers, and cannot be encoded: " + err.Error())
	}
	return text
}

func decodeConfig(text []byte, c any, validate func() error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(c)
	if err == nil {
		err = validate()
	}
	if err != nil {
		return fmt.Errorf("%w: its configuration: %w", ErrCore, err)
	}
	return nil
}
