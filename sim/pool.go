package sim

// pool stores values under numbers that are reused, so that an event needs only a number.
type pool[T any] struct {
	things []T
	unused []uint32
}

func (p *pool[T]) put(thing T) uint32 {
	if last := len(p.unused) - 1; last >= 0 {
		number := p.unused[last]
		p.unused = p.unused[:last]
		p.things[number] = thing
		return number
	}
	if len(p.things) > whatMask {
		panic("sim: more than half a billion events are pending")
	}
	p.things = append(p.things, thing)
	return uint32(len(p.things) - 1)
}

func (p *pool[T]) take(number uint32) T {
	thing := p.things[number]
	p.things[number] = *new(T)
	p.unused = append(p.unused, number)
	return thing
}

func (p *pool[T]) len() int { return len(p.things) - len(p.unused) }
