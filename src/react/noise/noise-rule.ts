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

/** The first major release of each that is not legacy: what can run the bundles that Next builds today. */
const firstModern = new Map([
  ['internet explorer', Number.POSITIVE_INFINITY],
  ['ie', Number.POSITIVE_INFINITY],
  ['safari', 16],
  ['mobile safari', 16],
  ['edge', 111],
  ['microsoft edge', 111],
  ['chrome', 111],
  ['chrome mobile', 111],
  ['chromium', 111],
  ['firefox', 111],
  ['firefox mobile', 111],
  ['opera', 100],
  ['opera mini', 35],
  ['android', 4],
  ['android browser', 4],
])

export function isLegacyBrowser(name: string, version: string): boolean {
  const first = firstModern.get(name.toLowerCase())
  const major = Number.parseInt(version, 10)
  return first !== undefined && (first === Number.POSITIVE_INFINITY || (Number.isFinite(major) && major < first))
}
