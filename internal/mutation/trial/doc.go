// Command trial tries mutants, for package mutation, which builds it from instrumented cores. It
// reads a [mutation.Request] a line and answers each with a [mutation.Answer], until the input
// ends.
//
// The models and scenarios are made anew for each request, once its mutant is on, so that the
// mutant takes part in making them, too.
package main
