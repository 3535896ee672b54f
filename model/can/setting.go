package can

import (
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Setting is a model as a driver with a clock can play it: who is there, who wants what, and what may go wrong. Nodes are
// named by their places: the founders in the order in which they join, then those that come from outside.
type Setting struct {
	Name     string // of the model
	Space    space.Space
	Coords   []space.Point // by node
	Founders int
	Contacts []int // whom those from outside ask
	Leavers  []int
	Crashers []int // who may fail
	Returns  []int // who joins again if it comes back
	Budget   model.Budget
}

// Settings lists those of the models of the corrected core in which all properties hold.
func Settings() []Setting {
	var all []Setting
	for _, list := range [][]scenario{rows(), planes(), crashes(), adequacy()} {
		for i := range list {
			if len(list[i].expect) == 0 {
				all = append(all, list[i].setting())
			}
		}
	}
	return all
}

func (s *scenario) setting() Setting {
	set := Setting{Name: s.info("can").Name, Space: s.space(), Founders: len(s.layout.nodes), Budget: s.budget}
	for i := range s.places() {
		set.Coords = append(set.Coords, s.coordinate(i))
		if s.mayCrash(id(nameOf(i))) {
			set.Crashers = append(set.Crashers, i)
		}
	}
	for _, j := range s.joiners {
		set.Contacts = append(set.Contacts, places(j.contact)...)
	}
	set.Leavers, set.Returns = places(s.leavers), places(s.rejoin)
	return set
}

// places are those of the nodes with these names.
func places(names string) (all []int) {
	for _, name := range strings.Split(names, "") {
		all = append(all, int(name[0]-'A'))
	}
	return all
}
