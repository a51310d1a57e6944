import type { StoredEvent } from '#protocol/event.ts'
import type { ControlFlow } from '../frameworks/framework.ts'

/** Drop matching events, keep them, or keep a sample. */
export type FilterMode = 'on' | 'off' | 'sample'

export type NoiseInput = {
  event: StoredEvent
  /** Type and text of the thrown error, or of the message. */
  type: string
  value: string
  /** Set if a framework threw it on purpose. */
  controlFlow: ControlFlow['kind'] | null
  isBrowser: boolean
  userAgent: string
}

/** One kind of noise. The id is stored as the reason of the outcome, so it never changes. */
export type NoiseRule = {
  id: string
  /** Shown on the filters page. */
  name: string
  why: string
  byDefault: FilterMode
  matches: (input: NoiseInput) => boolean
}

/** The first major version of each browser that runs the bundles of current Next.js. */
const firstSupported = new Map([
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
  const first = firstSupported.get(name.toLowerCase())
  const major = Number.parseInt(version, 10)
  return first !== undefined && (first === Number.POSITIVE_INFINITY || (Number.isFinite(major) && major < first))
}
