import type { ScrubRule } from '#scrubbing/rules/compile-rule.ts'

/** What a rule can do with what it matches. In a file of its own: forms need it without the engine of patterns. */
export type ScrubAction = ScrubRule['action']

export const scrubActions: readonly ScrubAction[] = ['replace', 'hash', 'remove']
