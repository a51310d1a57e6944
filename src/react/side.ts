import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { isEdgeMiddleware, isEdgeMiddlewareSql } from './frameworks/find-frameworks.ts'
import { readHydration } from './hydration/read-hydration.ts'

/** Where an error happened. `both` is a mismatch between server and browser. */
export const sides = ['browser', 'edge', 'server', 'both'] as const
export type Side = (typeof sides)[number]

type Clues = Pick<StoredEvent, 'contexts' | 'platform' | 'exception'>

/** Middleware and edge routes name their runtime; servers have another platform than browsers. */
export function sideOf({ contexts, platform, exception }: Clues): Side {
  const runtime = textOf(contexts.runtime?.name).toLowerCase()
  if (/edge|workerd|cloudflare/.test(runtime)) return 'edge'
  if (platform !== 'javascript' || /^(?:node|bun|deno)$/.test(runtime)) return 'server'
  return exception?.values?.some(({ value }) => typeof value === 'string' && readHydration(value) !== null)
    ? 'both'
    : 'browser'
}

/** A span is measured by one process, so it is never on both sides. */
export type SpanSide = Exclude<Side, 'both'>
type SpanClues = { platform: string; op: string; sdkName: string }

const edgeSdk = /edge|cloudflare|workerd/

/**
 * Middleware of Next.js counts as edge wherever it is deployed; that of Express and others is part of the server. `javascript` is the
 * browser's platform, but a span that serves requests under it runs on an edge.
 */
export function spanSide({ platform, op, sdkName }: SpanClues): SpanSide {
  if (isEdgeMiddleware(op, sdkName) || edgeSdk.test(sdkName)) return 'edge'
  if (platform !== 'javascript') return 'server'
  return op === 'http.server' ? 'edge' : 'browser'
}

const isEdge = `(${isEdgeMiddlewareSql} OR match(sdk_name, '${edgeSdk.source}') OR (platform = 'javascript' AND op = 'http.server'))`

/** The same rule as SQL conditions on `spans`. */
export const spanSideSql: Readonly<Record<SpanSide, string>> = {
  edge: isEdge,
  browser: `(platform = 'javascript' AND NOT ${isEdge})`,
  server: `(platform != 'javascript' AND NOT ${isEdge})`,
}

const serverScript = /^sentry\.javascript\.(?:node|bun|deno|nestjs|aws|google|opentelemetry)/
const anyScript = /^sentry\.javascript\./

/** A log line names no platform. Servers name their host; the SDK of a framework is the same in the browser, which names none. */
export function logSide({ serverName, sdkName }: { serverName: string; sdkName: string }): SpanSide {
  if (edgeSdk.test(sdkName)) return 'edge'
  return serverName === '' && anyScript.test(sdkName) && !serverScript.test(sdkName) ? 'browser' : 'server'
}

const isEdgeLog = `match(sdk_name, '${edgeSdk.source}')`
const isBrowserLog = `(server_name = '' AND match(sdk_name, '^sentry[.]javascript[.]') AND NOT match(sdk_name, '^sentry[.]javascript[.](node|bun|deno|nestjs|aws|google|opentelemetry)'))`

/** The same rule as SQL conditions on `logs`. */
export const logSideSql: Readonly<Record<SpanSide, string>> = {
  edge: isEdgeLog,
  browser: `(NOT ${isEdgeLog} AND ${isBrowserLog})`,
  server: `(NOT ${isEdgeLog} AND NOT ${isBrowserLog})`,
}

export type DeviceClass = 'desktop' | 'mobile' | 'tablet' | ''

/** By operating system, and by user agent if the system runs on several kinds of devices. '' for servers and bots. */
export function deviceClass({ os_name, device }: { os_name: string; device: string }): DeviceClass {
  if (/tablet|ipad/i.test(device) || os_name === 'iPadOS') return 'tablet'
  if (/^(?:ios|android|windows phone|harmonyos)$/i.test(os_name) || /mobile|iphone/i.test(device)) return 'mobile'
  return device === 'desktop' || /^(?:macos|windows|linux|chrome os|ubuntu)/i.test(os_name) ? 'desktop' : ''
}
