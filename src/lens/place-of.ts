/** Where something happened: the wire from the browser over the edge to the server. `both` is where its two ends disagree. */
import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'

export type Place = 'browser' | 'edge' | 'server' | 'both'

type Clues = Pick<StoredEvent, 'contexts' | 'platform' | 'exception'>

/** Middleware and edge routes call themselves so in the runtime; what runs at a server has another platform than the browser's. */
export function placeOf({ contexts, platform, exception }: Clues): Place {
  const runtime = textOf(contexts.runtime?.name).toLowerCase()
  if (/edge|workerd|cloudflare/.test(runtime)) return 'edge'
  if (platform !== 'javascript' || /^(?:node|bun|deno)$/.test(runtime)) return 'server'
  return exception?.values?.some(({ value }) => isAboutHydration(value)) ? 'both' : 'browser'
}

/** React 18 and 19, with their texts and, minified, with their numbers. */
const hydration = /\bhydrat|server[- ]rendered (?:html|text)|minified react error #(?:418|419|42[0-5])\b/i
const isAboutHydration = (value: unknown): boolean => typeof value === 'string' && hydration.test(value.slice(0, 1_000))
