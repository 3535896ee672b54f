package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model/peer"
)

func main() { judge.Main(peer.Models()) }
