package mutation

// Request asks a trial to run models and scenarios, in this order, with a mutant on, until one of
// them kills it.
type Request struct {
	Mutant    uint32    `json:"mutant"` // 0: no mutant is on
	Record    bool      `json:"record"` // note which mutants would make a difference, for each model and scenario
	Models    []Bounded `json:"models,omitempty"`
	Scenarios []Bounded `json:"scenarios,omitempty"`
	Refines   bool      `json:"refines,omitempty"` // check no property of the models but Refines
	Measure   *Measure  `json:"measure,omitempty"` // instead of all that
}

// Bounded is a model with a bound on its states, or a scenario with a bound on its seeds.
type Bounded struct {
	Name string `json:"name"`
	Most uint64 `json:"most"` // 0: no bound
}

// Answer is the result of one model or scenario, or, if Name is empty, the end of the results.
type Answer struct {
	Name     string   `json:"name,omitempty"`
	Killed   string   `json:"killed,omitempty"`   // the property that broke, or another reason
	Violated []string `json:"violated,omitempty"` // by a model: all that is not expected to be, or Panic
	Panic    string   `json:"panic,omitempty"`    // its text
	Refused  string   `json:"refused,omitempty"`  // with Refines: which abstract step is not allowed, and why
	States   uint64   `json:"states,omitempty"`
	Millis   int64    `json:"millis,omitempty"`
	Infected []uint32 `json:"infected,omitempty"`
	Error    string   `json:"error,omitempty"`
	Effort   *Effort  `json:"effort,omitempty"` // what was measured
}

// Panic stands for a property when mutated code panics.
const Panic = "panic"
