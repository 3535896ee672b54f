package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model/lease"
)

func main() { judge.Main(lease.Models()) }
