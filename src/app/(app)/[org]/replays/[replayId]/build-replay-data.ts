import { type LogLine, lineAddress } from '#domain/logs/log-line.ts'
import { describeMoment, isFailedRequest } from '#domain/replays/describe-replay.ts'
import { pathOf, type ReplayMoment } from '#domain/replays/list-moments.ts'
import type { ReplayError } from '#domain/replays/list-replay-errors.ts'
import type { ServerRequest } from '#domain/replays/list-server-requests.ts'
import type { ReplaySummary } from '#domain/replays/read-summaries.ts'
import type { Mark, PageBar, ReplayData, SyncRow } from '#ui/replay/player/replay-data.ts'

type Parts = {
  organizationSlug: string
  replay: ReplaySummary
  moments: readonly ReplayMoment[]
  errors: readonly ReplayError[]
  servers: readonly ServerRequest[]
  lines: readonly LogLine[]
  /** `?t=` of the address, in seconds. */
  t: string
}

/** What the player page needs, with all times relative to the start of the replay. */
export function buildReplayData({ organizationSlug, replay, moments, errors, servers, lines, t }: Parts): ReplayData {
  const base = `/${organizationSlug}`
  const last = Math.max(replay.endedAt, ...moments.map(({ at }) => at), ...errors.map(({ at }) => at))
  const durationMs = Math.max(1, Math.min(last, replay.endedAt + 60_000) - replay.startedAt)
  const since = (at: number): number => Math.max(0, at - replay.startedAt)
  const rows = moments.flatMap((moment, index) => rowOf(moment, index, since) ?? [])
  const [early = [], during = []] = [true, false].map(wanted =>
    errors.filter(({ at }) => isEarly(at, replay) === wanted).map(error => errorRow(error, base, replay.startedAt)),
  )
  const requests = moments.filter(({ kind }) => kind === 'request')
  return {
    replayId: replay.replayId,
    path: `${base}/replays/${replay.replayId}`,
    tracesPath: `${base}/traces`,
    startedAt: replay.startedAt,
    durationMs,
    openAt: Math.min(durationMs, Math.max(0, (/^\d{1,6}(?:\.\d{1,3})?$/.test(t) ? Number(t) : 0) * 1_000)),
    pages: pagesOf(moments, replay, durationMs, since),
    marks: [
      ...marksOf(moments, since),
      ...during.map(({ at, what }): Mark => ({ at, kind: 'error', label: what })),
      ...idleOf(moments, durationMs, since),
    ],
    servers: servers.map(({ at, ...server }) => ({ ...server, at: since(at) })),
    tabs: [
      {
        id: 'breadcrumbs',
        label: 'Breadcrumbs',
        rows: byTime([...rows, ...during]),
        empty: 'Nothing was clicked, typed or opened.',
      },
      {
        id: 'console',
        label: 'Console',
        rows: moments.flatMap((moment, index) => consoleRow(moment, index, since) ?? []),
        empty: 'The page wrote nothing to the console.',
      },
      {
        id: 'network',
        label: 'Network',
        rows: requests.map((moment, index) => requestRow(moment, index, since)),
        empty: 'The page sent no request.',
      },
      { id: 'errors', label: 'Errors', rows: [...early, ...during], empty: 'No errors in this replay.' },
      {
        id: 'trace',
        label: 'Trace',
        rows: servers.map(server => serverRow(server, base, since)),
        empty: 'No server sent spans of these requests.',
      },
      {
        id: 'logs',
        label: 'Logs',
        rows: lines.map(line => logRow(line, base, since)),
        empty: 'No log lines of this visit or of its requests.',
      },
      // Its rows come with the recording.
      { id: 'memory', label: 'Memory', rows: [], empty: 'The browser reported no memory. Only Chromium does.' },
    ],
    missingSegments: replay.missingSegments,
    segmentCount: replay.segmentCount,
  }
}

type Since = (at: number) => number
const byTime = (rows: SyncRow[]): SyncRow[] => rows.sort((a, b) => a.at - b.at)

const icons: Readonly<Record<string, SyncRow['icon']>> = {
  page: 'page',
  navigation: 'page',
  click: 'click',
  dead_click: 'dead',
  rage_click: 'rage',
  input: 'input',
  console: 'console',
  request: 'request',
  hydration_error: 'error',
  feedback: 'feedback',
}
const warnings = new Set(['dead_click', 'rage_click', 'console'])

function rowOf(moment: ReplayMoment, index: number, since: Since): SyncRow | null {
  const line = describeMoment(moment)
  if (line === null) return null
  const isError = moment.kind === 'request' || moment.kind === 'hydration_error' || moment.level === 'error'
  return {
    id: `m${index}`,
    at: since(moment.at),
    icon: icons[moment.kind] ?? 'tab',
    look: isError ? 'error' : warnings.has(moment.kind) ? 'warning' : 'plain',
    verb: line.verb,
    what: line.what,
    note: line.note,
    ...(moment.nodeId > 0 ? { nodeId: moment.nodeId } : {}),
  }
}

function consoleRow({ kind, level, text, at }: ReplayMoment, index: number, since: Since): SyncRow | null {
  if (kind !== 'console') return null
  const look = level === 'error' ? 'error' : /^warn/.test(level) ? 'warning' : 'plain'
  return { id: `c${index}`, at: since(at), icon: 'console', look, verb: '', what: text, note: level }
}

function requestRow(moment: ReplayMoment, index: number, since: Since): SyncRow {
  const { at, method, url, status, durationMs } = moment
  return {
    id: `r${index}`,
    at: since(at),
    icon: 'request',
    look: isFailedRequest(moment) ? 'error' : 'plain',
    verb: method,
    what: pathOf(url),
    note: `${status > 0 ? status : 'failed'} · ${durationMs} ms`,
  }
}

/** A server's clock may be a bit behind. */
const earlyMs = 1_000

/** Whether an error of the visit happened before its recording began: there is no picture of it. */
export const isEarly = (at: number, { startedAt }: Pick<ReplaySummary, 'startedAt'>): boolean =>
  at < startedAt - earlyMs

function errorRow({ eventId, at, title, isServer, issue }: ReplayError, base: string, startedAt: number): SyncRow {
  return {
    id: `e${eventId}`,
    at: Math.max(0, at - startedAt),
    ...(isEarly(at, { startedAt }) ? { earlierMs: startedAt - at } : {}),
    icon: isServer ? 'server' : 'error',
    look: 'error',
    verb: isServer ? 'Server error' : 'Error',
    what: title,
    note: issue?.shortId ?? '',
    ...(issue ? { href: `${base}/issues/${issue.id}/events/${eventId}` } : {}),
  }
}

function serverRow(
  { traceId, spanId, at, durationMs, name, statusCode, isFailed }: ServerRequest,
  base: string,
  since: Since,
): SyncRow {
  return {
    id: `s${spanId}`,
    at: since(at),
    icon: 'server',
    look: isFailed ? 'error' : 'plain',
    verb: '',
    what: name,
    note: `${statusCode > 0 ? `${statusCode} · ` : ''}${Math.round(durationMs)} ms`,
    href: `${base}/traces/${traceId}#span-${spanId}`,
  }
}

const failedLevels = new Set(['error', 'fatal'])

function logRow(line: LogLine, base: string, since: Since): SyncRow {
  return {
    id: `l${line.id}`,
    at: since(line.atUs / 1_000),
    icon: 'log',
    look: failedLevels.has(line.level) ? 'error' : line.level === 'warn' ? 'warning' : 'plain',
    verb: '',
    what: line.body,
    note: `${line.level} · ${line.side}`,
    href: `${base}/logs/${lineAddress(line)}`,
  }
}

/** Each page up to the next one. */
function pagesOf(
  moments: readonly ReplayMoment[],
  { urls }: ReplaySummary,
  durationMs: number,
  since: Since,
): PageBar[] {
  const opened = moments.filter(({ kind }) => kind === 'page' || kind === 'navigation')
  const starts = opened.map(({ at, url }) => ({ from: since(at), path: placeOf(url) }))
  const first = urls[0]
  const all = starts.length === 0 && first !== undefined ? [{ from: 0, path: placeOf(first) }] : starts
  return all.map(({ from, path }, index) => ({
    from: index === 0 ? 0 : from,
    to: all[index + 1]?.from ?? durationMs,
    path,
  }))
}

/** Host and path, without what a query may hold. */
function placeOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? (url.split('?')[0] ?? '') : `${parsed.host}${parsed.pathname}`
}

const marked: Readonly<Record<string, Mark['kind']>> = {
  click: 'click',
  dead_click: 'click',
  rage_click: 'rage',
  input: 'click',
}

function marksOf(moments: readonly ReplayMoment[], since: Since): Mark[] {
  return moments.flatMap((moment): Mark[] => {
    const line = describeMoment(moment)
    if (line === null) return []
    const at = since(moment.at)
    const label = `${line.verb} ${line.what}`
    const kind = marked[moment.kind]
    if (kind) return [{ at, kind, label }]
    if (moment.kind === 'hydration_error') return [{ at, kind: 'error', label }]
    return moment.kind === 'console' || moment.kind === 'request' ? [{ at, kind: 'warning', label }] : []
  })
}

const idleMs = 10_000
const acted = new Set(['page', 'navigation', 'click', 'dead_click', 'rage_click', 'input'])

/** Times in which the user did nothing. */
function idleOf(moments: readonly ReplayMoment[], durationMs: number, since: Since): Mark[] {
  const times = [0, ...moments.filter(({ kind }) => acted.has(kind)).map(({ at }) => since(at)), durationMs]
  return times.flatMap((at, index): Mark[] => {
    const before = times[index - 1] ?? 0
    if (at - before < idleMs) return []
    return [{ at: before, toMs: at, kind: 'idle', label: `No activity for ${Math.round((at - before) / 1_000)} s` }]
  })
}
