/** Attributes that feed columns. Old and new names are separate facts, so that the new one wins whatever their order. */
import { textOf } from '#lib/json-value.ts'
import { isSensitiveKey } from '#scrubbing/is-sensitive-key.ts'
import { userHash } from '../normalize/user-hash.ts'

const keys = {
  op: 'sentry.op',
  origin: 'sentry.origin',
  segmentId: 'sentry.segment.id',
  oldSegmentId: 'sentry.segment_id',
  segmentName: 'sentry.segment.name',
  oldSegmentName: 'sentry.transaction',
  source: 'sentry.segment.name.source',
  spanSource: 'sentry.span.source',
  oldSource: 'sentry.source',
  sdkName: 'sentry.sdk.name',
  sdkVersion: 'sentry.sdk.version',
  release: 'sentry.release',
  environment: 'sentry.environment',
  dist: 'sentry.dist',
  platform: 'sentry.platform',
  replayId: 'sentry.replay_id',
  sampleRate: 'sentry.sample_rate',
  sequence: 'sentry.timestamp.sequence',
  template: 'sentry.message.template',
  parentSpanId: 'sentry.trace.parent_span_id',
  userId: 'user.id',
  userEmail: 'user.email',
  userName: 'user.name',
  oldUserName: 'user.username',
  userIp: 'user.ip_address',
  method: 'http.request.method',
  oldMethod: 'http.method',
  statusCode: 'http.response.status_code',
  oldStatusCode: 'http.status_code',
  urlFull: 'url.full',
  oldUrl: 'http.url',
  urlPath: 'url.path',
  oldTarget: 'http.target',
  plainUrl: 'url',
  httpRoute: 'http.route',
  nextRoute: 'next.route',
  urlTemplate: 'url.template',
  serverAddress: 'server.address',
  hostName: 'host.name',
  serverName: 'sentry.server_name',
  oldServerName: 'server_name',
  userAgent: 'user_agent.original',
  oldUserAgent: 'http.user_agent',
  headerUserAgent: 'http.request.header.user-agent',
  prefetch: 'http.request.prefetch',
  nextPrefetch: 'http.request.header.next-router-prefetch',
  nextSegmentPrefetch: 'http.request.header.next-router-segment-prefetch',
  purpose: 'http.request.header.purpose',
  secPurpose: 'http.request.header.sec-purpose',
  middlewarePrefetch: 'http.request.header.x-middleware-prefetch',
  browserName: 'browser.name',
  osName: 'os.name',
  deviceModel: 'device.model',
  deviceFamily: 'device.family',
} as const

export type FactName = keyof typeof keys
export type Facts = { [Name in FactName]: unknown }

/** With all fields from the start, so that V8 uses one hidden class for all spans. */
export function noFacts(): Facts {
  return { ...emptyFacts }
}
const emptyFacts = Object.fromEntries(Object.keys(keys).map(name => [name, undefined])) as Facts

/** Facts whose column holds the same text, so the attributes need not store it again. */
export type Columns = ReadonlySet<FactName>
export const noColumns: Columns = new Set()
export const metricColumns: Columns = new Set(['sdkName', 'sdkVersion', 'release', 'environment'] as const)
export const logColumns: Columns = new Set([...metricColumns, 'origin', 'template'] as const)
export const spanColumns: Columns = new Set([
  ...metricColumns,
  ...(['op', 'origin', 'segmentId', 'segmentName', 'source', 'dist'] as const),
])

export type KeyRole = {
  fact: FactName | null
  isSensitive: boolean
  /** Written by the SDK or the runtime, so the text is not searched for `password=` and the like. */
  isTechnical: boolean
  /** An IP address, which has one spelling. */
  isAddress: boolean
}

const addressKeys: ReadonlySet<string> = new Set(['user.ip_address', 'client.address'])

const technical =
  /^(?:sentry\.(?:sdk|release|environment|segment|trace|is_localhost|origin|op|replay_id|idle|kind|sample|nextjs|pageload)|process\.|device\.|os\.|culture\.|network\.|next\.span|thread\.|user_agent\.|http\.request\.header\.(?:sec-|accept|user-agent$|host$|connection$|baggage$|sentry-trace$|rsc$|next-router-))/

const roles = new Map<string, KeyRole>()
for (const [name, key] of Object.entries(keys) as [FactName, string][]) {
  roles.set(key, { fact: name, isSensitive: false, isTechnical: technical.test(key), isAddress: addressKeys.has(key) })
}
const cacheEntries = 20_000
const cachedKeyChars = 128

/** Everything that is known about a key, in one lookup per attribute. */
export function roleOf(key: string): KeyRole {
  const known = roles.get(key)
  if (known !== undefined) return known
  const role = {
    fact: null,
    isSensitive: isSensitiveKey(key),
    isTechnical: technical.test(key),
    isAddress: addressKeys.has(key),
  }
  if (roles.size < cacheEntries && key.length <= cachedKeyChars) roles.set(key, role)
  return role
}

export function userHashOf(facts: Facts, projectId: number): string {
  const name = textOf(facts.userName ?? facts.oldUserName)
  return userHash(projectId, textOf(facts.userId), textOf(facts.userEmail), name, textOf(facts.userIp))
}
