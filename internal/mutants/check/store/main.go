package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model/store"
)

func main() { judge.Main(store.Models()) }
