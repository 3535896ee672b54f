package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/space"
)

// The definitions of chapter 6 to the letter. Package space has the corrected ones.

// takeoverFace is "the most recent entry on the split list", and the face of the zone that it
// forms, if it still forms one.
func takeoverFace(r Record) (half space.HalfSpace, face space.Face, ok bool) {
	if len(r.Splits) == 0 {
		return half, face, false
	}
	half = r.Splits[len(r.Splits)-1]
	face, ok = half.FaceOf(r.Zone)
	return half, face, ok
}

// cut returns the record of a node whose zone was split, with the new half-space "pushed on to the
// split list".
func cut(r Record, half space.HalfSpace) Record {
	r.Zone = half.Cut(r.Zone)
	if r.Zone.Empty() {
		r.Zone = space.Zone{}
	}
	r.Splits = append(slices.Clone(r.Splits), half)
	return r
}

// merged returns the record of a taker after it took over its part of a departed node's zone: "the
// nodes on the other side of that split" take "their respective parts", and each "deletes the
// opposing face from its own split list". It fails if the taker is not across the takeover face, or
// if its zone would no longer be a box.
func merged(taker, departed Record) (Record, bool) {
	half, face, ok := takeoverFace(departed)
	if !ok || !abuts(departed.Zone, taker.Zone) {
		return Record{}, false
	}
	if f, _ := departed.Zone.Abuts(taker.Zone); f != face {
		return Record{}, false
	}
	part := departed.Zone
	for k := range part.Low {
		if k == int(face.Dim) {
			continue
		}
		if taker.Zone.Low[k] < part.Low[k] || taker.Zone.High[k] > part.High[k] {
			return Record{}, false
		}
		part.Low[k], part.High[k] = taker.Zone.Low[k], taker.Zone.High[k]
	}
	taker.Zone = space.Join(taker.Zone, part)
	taker.Splits = without(taker.Splits, half.Opposite())
	return taker, true
}

// without deletes the last occurrence of a half-space from a split list.
func without(splits []space.HalfSpace, half space.HalfSpace) []space.HalfSpace {
	for i := len(splits) - 1; i >= 0; i-- {
		if splits[i] == half {
			if len(splits) == 1 {
				return nil
			}
			return slices.Concat(splits[:i], splits[i+1:])
		}
	}
	return splits
}
