/** Where something happened: the wire from the browser over the edge to the server. `both` is where its two ends disagree. */
import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { readHydration } from './hydration/read-hydration.ts'

export const sides = ['browser', 'edge', 'server', 'both'] as const
export type Side = (typeof sides)[number]

type Clues = Pick<StoredEvent, 'contexts' | 'platform' | 'exception'>

/** Middleware and edge routes call themselves so in the runtime; what runs at a server has another platform than the browser's. */
export function sideOf({ contexts, platform, exception }: Clues): Side {
  const runtime = textOf(contexts.runtime?.name).toLowerCase()
  if (/edge|workerd|cloudflare/.test(runtime)) return 'edge'
  if (platform !== 'javascript' || /^(?:node|bun|deno)$/.test(runtime)) return 'server'
  return exception?.values?.some(({ value }) => typeof value === 'string' && readHydration(value) !== null)
    ? 'both'
    : 'browser'
}

/** A span is measured by one process: it never happened in two places. */
export type SpanSide = Exclude<Side, 'both'>
type SpanClues = { platform: string; op: string; sdkName: string }

const edgeSdk = /edge|cloudflare|workerd/
const nextSdk = /nextjs/

/**
 * Next's middleware runs before the server, wherever it is deployed; that of Express and others is a part of it. `javascript` is the browser's platform; an edge runtime that
 * calls itself so gives itself away by serving requests.
 */
export function spanSide({ platform, op, sdkName }: SpanClues): SpanSide {
  const isNextMiddleware = (op === 'middleware' || op === 'middleware.nextjs') && nextSdk.test(sdkName)
  if (isNextMiddleware || edgeSdk.test(sdkName)) return 'edge'
  if (platform !== 'javascript') return 'server'
  return op === 'http.server' ? 'edge' : 'browser'
}

const isEdge = `((op IN ('middleware', 'middleware.nextjs') AND match(sdk_name, '${nextSdk.source}')) OR match(sdk_name, '${edgeSdk.source}') OR (platform = 'javascript' AND op = 'http.server'))`

/** The same rule for the engine, as conditions on a row of spans. */
export const spanSideSql: Readonly<Record<SpanSide, string>> = {
  edge: isEdge,
  browser: `(platform = 'javascript' AND NOT ${isEdge})`,
  server: `(platform != 'javascript' AND NOT ${isEdge})`,
}

export type DeviceClass = 'desktop' | 'mobile' | 'tablet' | ''

/** By the system, and by the word of the user agent where a system runs on more than one kind. '' for servers and bots. */
export function deviceClass({ os_name, device }: { os_name: string; device: string }): DeviceClass {
  if (/tablet|ipad/i.test(device) || os_name === 'iPadOS') return 'tablet'
  if (/^(?:ios|android|windows phone|harmonyos)$/i.test(os_name) || /mobile|iphone/i.test(device)) return 'mobile'
  return device === 'desktop' || /^(?:macos|windows|linux|chrome os|ubuntu)/i.test(os_name) ? 'desktop' : ''
}
