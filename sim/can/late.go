package can

import "github.com/canvass-grid/canvass/sim"

// DrawLate draws faults of messages, some of which come late by up to so long: as long as it takes
// to find a failure, and longer. In half of the runs they befall only what some nodes send for a
// while: then rounds succeed although old news is on its way.
func DrawLate(p *sim.Plan, c *sim.Chance, most int64) {
	p.DelayMicros = []int64{second, most / 2, most}[c.Below(3)]
	p.DriftPPM = []int64{0, 50_000, 300_000}[c.Below(3)]
	if c.Of(1, 2) {
		rate := func() uint32 { return []uint32{0, 50_000, 200_000}[c.Below(3)] }
		p.Drop, p.Duplicate, p.Delay = rate(), rate(), rate()
		return
	}
	p.Faults = drawStretches(p.Nodes, c)
}

// DrawAgain draws faults of which none loses anything, so that rounds and requests succeed while
// copies and old news are on their way: how late a message may come, and the rates of copies and of
// late messages, each one of those given. In a quarter of the runs they are those of DrawLate.
func DrawAgain(p *sim.Plan, c *sim.Chance, delays []int64, duplicate, delay []uint32) {
	if c.Of(1, 4) {
		DrawLate(p, c, 20*second)
		return
	}
	p.DelayMicros = delays[c.Below(uint64(len(delays)))]
	p.Duplicate = duplicate[c.Below(uint64(len(duplicate)))]
	p.Delay = delay[c.Below(uint64(len(delay)))]
}

// drawStretches draws faults of what one to three nodes send.
func drawStretches(nodes int, c *sim.Chance) []sim.Fault {
	met := map[[2]uint32]bool{}
	var list []sim.Fault
	for range 1 + c.Below(3) {
		node, from := uint32(c.Below(uint64(nodes))), uint32(c.Below(16))
		length := []uint64{4, 16, 64}[c.Below(3)]
		kinds := [][]string{
			{sim.FaultDelay}, {sim.FaultDelay, sim.FaultDuplicate}, {sim.FaultDrop, sim.FaultDelay}, {sim.FaultDuplicate}, {sim.FaultDrop},
		}[c.Below(5)]
		part, end := 1+c.Below(4), from+1+uint32(c.Below(length))
		for number := from; number < end; number++ {
			if at := [2]uint32{node, number}; c.Of(part, 4) && !met[at] {
				met[at] = true
				list = append(list, sim.Fault{Node: node, Number: number, Kind: kinds[c.Below(uint64(len(kinds)))]})
			}
		}
	}
	return list
}
