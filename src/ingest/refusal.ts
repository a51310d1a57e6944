/** Every reason to refuse a request: the status for the SDK, the message for its owner, the reason for outcomes. */
import type { OutcomeKind } from '#lib/outcome.ts'
import type { AuthFault } from '#protocol/auth.ts'
import type { ScanFault } from '#protocol/item-types.ts'
import { formatRateLimits, longestRetrySeconds, type RateLimit } from '#protocol/rate-limit-header.ts'
import type { IngestLog } from './ports.ts'

export type Refusal = { status: number; reason: string; detail: string; kind: OutcomeKind; limits?: RateLimit[] }

const invalid = (status: number, reason: string, detail: string): Refusal => ({
  status,
  reason,
  detail,
  kind: 'invalid',
})

const authRefusals: Record<AuthFault['code'], Refusal> = {
  missing: invalid(401, 'missing_auth', 'missing authorization information'),
  multiple: invalid(401, 'multiple_auth', 'multiple authorization payloads detected'),
  malformed_key: invalid(400, 'malformed_key', 'bad sentry DSN public key: expected 32 hexadecimal digits'),
  unsupported_version: invalid(400, 'unsupported_version', 'unsupported protocol version: expected 7'),
}

export const refuseAuth = (fault: AuthFault): Refusal => authRefusals[fault.code]

const tooLargeCodes = new Set(['header_too_large', 'item_too_large', 'too_many_items', 'envelope_too_large'])

export function refuseScan(fault: ScanFault): Refusal {
  return tooLargeCodes.has(fault.code)
    ? invalid(413, 'too_large', fault.message)
    : invalid(400, reasonOf(fault), fault.message)
}

const reasonOf = (fault: ScanFault) => (fault.code === 'empty' ? 'empty_body' : 'invalid_envelope')

export function refuseLimited(limits: RateLimit[]): Refusal {
  const reason = limits[0]?.reason ?? 'rate_limited'
  return {
    status: 429,
    reason,
    kind: 'rate_limited',
    limits,
    detail: 'event submission rejected with_reason: RateLimited',
  }
}

/** Digest empties a full inbox within seconds, but an operator takes longer to free a disk. */
const fullRetrySeconds = 60

/** A database that was restarted is back within seconds. */
const unavailableRetrySeconds = 10

export const refusals = {
  badProjectId: invalid(400, 'bad_project_id', 'bad project id: expected a number'),
  unknownKey: invalid(403, 'unknown_key', 'event submission rejected with_reason: ProjectId'),
  disabledKey: invalid(403, 'disabled_key', 'event submission rejected with_reason: DisabledKey'),
  deletedProject: invalid(403, 'project_deleted', 'event submission rejected with_reason: ProjectDeleted'),
  wrongProject: invalid(403, 'wrong_project', 'the DSN in the envelope belongs to another project than the URL'),
  malformedDsn: invalid(400, 'malformed_dsn', 'the DSN in the envelope is not valid'),
  foreignDsn: invalid(
    403,
    'foreign_dsn',
    'the DSN in the envelope belongs to another server; this tunnel only accepts DSNs of this server',
  ),
  bodyTooLarge: invalid(413, 'too_large', 'request body exceeded the size limit'),
  // RFC 9110 (15.5.16) also uses 415 for content codings: the client should send the body uncompressed.
  unknownEncoding: invalid(
    415,
    'unknown_encoding',
    'unsupported content encoding: use gzip, deflate, br, zstd or none',
  ),
  badEncoding: invalid(400, 'bad_encoding', 'the request body could not be decompressed'),
  timedOut: invalid(408, 'timed_out', 'the request body came too slowly'),
  aborted: invalid(400, 'aborted', 'the client closed the connection before the body was complete'),
  badMethod: invalid(405, 'bad_method', 'method not allowed'),
  badMime: invalid(415, 'bad_mime', 'unsupported media type'),
  messagePack: invalid(415, 'message_pack', 'MessagePack bodies are not supported: send JSON'),
  emptyBody: invalid(400, 'empty_body', 'empty request body'),
  badJson: invalid(400, 'invalid_json', 'invalid JSON data'),
  badSignature: invalid(
    401,
    'bad_signature',
    'the signature of the log drain is missing or wrong: use the secret in the settings of the project',
  ),
  badEventId: invalid(400, 'bad_event_id', 'eventId must be the id of an event: 32 hexadecimal digits'),
  badReport: invalid(400, 'bad_report', 'the report needs comments, and an email address that is one'),
  badCheckIn: invalid(400, 'invalid_check_in', 'invalid check-in: status must be in_progress, ok or error'),
  inboxFull: {
    ...refuseLimited([{ retryAfterSeconds: fullRetrySeconds, categories: [], scope: 'global', reason: 'inbox_full' }]),
    detail: 'the server cannot store more right now',
  },
  // Cron endpoints never respond with 429, as in Sentry.
  inboxFullForCron: {
    status: 503,
    reason: 'inbox_full',
    kind: 'rate_limited',
    detail: 'the server cannot store more right now',
  },
  keysUnavailable: {
    status: 503,
    reason: 'keys_unavailable',
    kind: 'invalid',
    detail: 'the server cannot look up this key right now; try again',
  },
  notStored: {
    status: 503,
    reason: 'not_stored',
    kind: 'invalid',
    detail: 'the server could not store the request; nothing was kept',
  },
} satisfies Record<string, Refusal>

export function limitHeaders(limits: RateLimit[] | undefined): string[] {
  return limits === undefined || limits.length === 0 ? [] : ['X-Sentry-Rate-Limits', formatRateLimits(limits)]
}

export function refusalHeaders({ status, detail, limits }: Refusal): string[] {
  // A detail may quote the sender, and a header can only hold printable ASCII.
  const headers = ['X-Sentry-Error', detail.replace(/[^\x20-\x7e]/g, '?'), ...limitHeaders(limits)]
  if (status === 429 && limits !== undefined) headers.push('Retry-After', String(longestRetrySeconds(limits)))
  if (status === 503) headers.push('Retry-After', String(unavailableRetrySeconds))
  return status === 405 ? [...headers, 'Allow', 'POST, OPTIONS'] : headers
}

type RefusalLine = { projectId: number; status: number; reason: string; endpoint: string; detail: string }
export type RefusalLog = { add(line: RefusalLine): void; close(): void }

const windowMs = 5000
/** Further kinds of refusals in one window are counted as `other`. */
const maxKinds = 500

/**
 * Logs the first refusal of a kind immediately and the count of further ones every few seconds: a flood of bad requests must
 * not fill the disk.
 */
export function createRefusalLog(log: IngestLog): RefusalLog {
  const pending = new Map<string, { line: RefusalLine; count: number }>()
  let timer: NodeJS.Timeout | null = null

  function add(line: RefusalLine) {
    timer ??= setTimeout(flush, windowMs).unref()
    const key = `${line.projectId} ${line.status} ${line.reason} ${line.endpoint}`
    const known = pending.get(key)
    if (known !== undefined) known.count++
    else if (pending.size < maxKinds) {
      pending.set(key, { line, count: 0 })
      log.warn({ ...line, count: 1 }, 'request refused')
    } else countOther(line)
  }

  function countOther({ status }: RefusalLine) {
    const other = pending.get('other')
    if (other !== undefined) other.count++
    else
      pending.set('other', {
        line: { projectId: 0, status, reason: 'other', endpoint: 'any', detail: 'many different refusals' },
        count: 1,
      })
  }

  function flush() {
    timer = null
    for (const { line, count } of pending.values()) if (count > 0) log.warn({ ...line, count }, 'requests refused')
    pending.clear()
  }

  return {
    add,
    close() {
      if (timer !== null) clearTimeout(timer)
      flush()
    },
  }
}
