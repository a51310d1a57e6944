import type { StoredEvent } from '#protocol/event.ts'

/** What is done with events that a rule knows: dropped, kept, or one in some kept that stands for the rest. */
export type FilterMode = 'on' | 'off' | 'sample'

export type NoiseInput = {
  event: StoredEvent
  /** Type and text of the error that was thrown, or of the message. */
  type: string
  value: string
  isBrowser: boolean
  userAgent: string
}

/** One kind of noise. The id is the reason of the outcome, and is stored: it never changes. */
export type NoiseRule = {
  id: string
  /** What it catches, for the settings page. */
  name: string
  why: string
  byDefault: FilterMode
  /** How the words are told: a change shows which events it would catch. */
  matches: (input: NoiseInput) => boolean
}
