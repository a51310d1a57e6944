/** Where something happened: the wire from the browser over the edge to the server. `both` is where its two ends disagree. */
import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { readHydration } from './hydration/read-hydration.ts'

export type Place = 'browser' | 'edge' | 'server' | 'both'

type Clues = Pick<StoredEvent, 'contexts' | 'platform' | 'exception'>

/** Middleware and edge routes call themselves so in the runtime; what runs at a server has another platform than the browser's. */
export function placeOf({ contexts, platform, exception }: Clues): Place {
  const runtime = textOf(contexts.runtime?.name).toLowerCase()
  if (/edge|workerd|cloudflare/.test(runtime)) return 'edge'
  if (platform !== 'javascript' || /^(?:node|bun|deno)$/.test(runtime)) return 'server'
  return exception?.values?.some(({ value }) => typeof value === 'string' && readHydration(value) !== null)
    ? 'both'
    : 'browser'
}
