package space

// Covered reports whether every point of the target lies in one of the zones.
func Covered(target Zone, zones []Zone) bool {
	if target.Empty() {
		return true
	}
	for i, z := range zones {
		if !z.Overlaps(target) {
			continue
		}
		// The rest of the target outside z is a handful of boxes, each of which the following zones must
		// cover: those before z do not meet the target at all.
		for k := range target.Low {
			below, above := target, target
			below.High[k] = min(target.High[k], z.Low[k])
			above.Low[k] = max(target.Low[k], z.High[k])
			if !Covered(below, zones[i+1:]) || !Covered(above, zones[i+1:]) {
				return false
			}
			target.Low[k] = max(target.Low[k], z.Low[k])
			target.High[k] = min(target.High[k], z.High[k])
		}
		return true
	}
	return false
}

// BorderCovered reports whether the zones cover everything that touches z from outside along a
// face, within the space.
func (s Space) BorderCovered(z Zone, zones []Zone) bool {
	for k := range s.Dims {
		for _, high := range [2]bool{false, true} {
			layer := z.Beyond(Face{Dim: uint8(k), High: high})
			if !Covered(layer.Intersect(s.Whole()), zones) {
				return false
			}
		}
	}
	return true
}
