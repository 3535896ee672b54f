// Package fault breaks the engine on purpose, so that a test can show that the tests notice it.
//
// Built with the tag fault_lost, the engine loses a successor now and then. Built with the tag
// fault_stale, its caches answer for pairs that were never put into them. Without a tag both
// constants are false and cost nothing. TestABrokenEngineIsCaught of package checker builds the
// engine with each tag.
package fault
