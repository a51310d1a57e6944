import { hash } from 'node:crypto'
import type { StoredEvent } from '#protocol/event.ts'
import { customParts } from './v1/custom-parts.ts'
import { defaultParts } from './v1/default-parts.ts'
import { culpritOf, titleOf } from './v1/title.ts'

export type Grouping = {
  version: 1
  /** 32 hex digits. */
  hash: string
  title: string
  culprit: string
  /** What the hash was made from, for people who ask why. */
  parts: string[]
}

/** Which issue an event belongs to. Versions stand side by side: a new one never changes what an old one gave. */
export function groupEvent(event: StoredEvent): Grouping {
  const parts = customParts(event, () => defaultParts(event)) ?? defaultParts(event)
  return {
    version: 1,
    // A character that no part holds, so that ['a', 'bc'] and ['ab', 'c'] differ.
    hash: hash('md5', parts.join('\u0000')),
    title: titleOf(event),
    culprit: culpritOf(event),
    parts,
  }
}
