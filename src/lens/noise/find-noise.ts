import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { placeOf } from '../place-of.ts'
import type { NoiseInput } from './noise-rule.ts'
import { noiseRules } from './noise-rules.ts'

/** Chars. Noise is short; what is longer was written by somebody. */
const maxChars = 2_000

/** The ids of the rules that know this event, in their order. Whether it is dropped is the project's choice. */
export function findNoise(event: StoredEvent, userAgent: string): string[] {
  const error = event.exception?.values.at(-1)
  const value = error?.value ?? event.logentry?.formatted ?? event.logentry?.message ?? ''
  const place = placeOf(event)
  const input: NoiseInput = {
    event,
    type: textOf(error?.type),
    value: value.slice(0, maxChars),
    isBrowser: place === 'browser' || place === 'both',
    userAgent,
  }
  return noiseRules.filter(rule => rule.matches(input)).map(rule => rule.id)
}
