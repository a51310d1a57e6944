import { findCulpritFrame } from '#grouping/title.ts'
import type { StoredEvent } from '#protocol/event.ts'

/** Where an event was thrown: `total (src/cart.ts:7)`; empty without a stack. */
export function nameCulprit(data: string): string {
  try {
    // Digest normalized every field that is read here before it stored the event.
    const frame = findCulpritFrame(JSON.parse(data) as StoredEvent)
    const file = frame?.filename ?? frame?.module ?? ''
    const place = frame?.lineno === undefined || file === '' ? file : `${file}:${frame.lineno}`
    const name = frame?.function ?? ''
    if (name === '' || name === '?') return place
    return place === '' ? name : `${name} (${place})`
  } catch {
    return ''
  }
}
