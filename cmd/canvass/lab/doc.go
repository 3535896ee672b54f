// Package lab implements "canvass lab", the commands of the scheduling laboratory.
//
// It reads flags, runs package experiment and prints tables. It does not depend on policies or
// metrics.
//
// # Usage
//
// The program calls [Command] once and adds what it returns to its own commands.
//
// # Guarantees
//
//   - Results go to standard output, everything else to standard error.
//   - Bad input is one line that names the thing and the remedy, with exit code 2. Nothing is
//     written then.
//
// # Assumptions
//
//   - The program turns [usage.Error] into exit code 2, and [cli.Code] into its code.
package lab
