// Package differ checks a fast engine against a slow one: both run the same drawn cells, and must
// take the same steps in the same order, with the same records. It is for tests.
//
// # Usage
//
// Call [Engines] with a function that draws a cell, and one for each engine. The slow engine is the
// definition: the cores, message by message, or a simulator so simple that a reader can check it.
//
// # Guarantees
//
//   - Small: a cell on which the engines differ is shrunk before it is reported.
//   - First: the report is of the first step that differs.
//
// # Assumptions
//
//   - Engines do not change the cell.
//   - Interesting cells are frequent enough for the number of cells. Callers count moves, waits and
//     the like, and demand that there were some.
package differ
