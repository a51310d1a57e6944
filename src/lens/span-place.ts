import type { Place } from './place-of.ts'

/** A span is measured by one process: it never happened in two places. */
export type SpanPlace = Exclude<Place, 'both'>
export type SpanClues = { platform: string; op: string; sdkName: string }

const edgeSdk = /edge|cloudflare|workerd/
const nextSdk = /nextjs/

/**
 * Next's middleware runs before the server, wherever it is deployed; that of Express and others is a part of it. `javascript` is the browser's platform; an edge runtime that
 * calls itself so gives itself away by serving requests.
 */
export function spanPlace({ platform, op, sdkName }: SpanClues): SpanPlace {
  const isNextMiddleware = (op === 'middleware' || op === 'middleware.nextjs') && nextSdk.test(sdkName)
  if (isNextMiddleware || edgeSdk.test(sdkName)) return 'edge'
  if (platform !== 'javascript') return 'server'
  return op === 'http.server' ? 'edge' : 'browser'
}

const isEdge = `((op IN ('middleware', 'middleware.nextjs') AND match(sdk_name, '${nextSdk.source}')) OR match(sdk_name, '${edgeSdk.source}') OR (platform = 'javascript' AND op = 'http.server'))`

/** The same rule for the engine, as conditions on a row of spans. */
export const spanPlaceSql: Readonly<Record<SpanPlace, string>> = {
  edge: isEdge,
  browser: `(platform = 'javascript' AND NOT ${isEdge})`,
  server: `(platform != 'javascript' AND NOT ${isEdge})`,
}
