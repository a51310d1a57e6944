import type { Viewer } from '#domain/access/viewer.ts'
import { contextKindsOf, type LogDetails, listContext, listLineErrors } from '#domain/logs/find-log.ts'
import { type LogLine, lineAddress } from '#domain/logs/log-line.ts'
import { clipText } from '#lib/text.ts'
import { logFields } from '#search/log-fields.ts'
import { keyOfName } from '#search/search-fields.ts'
import { formatOffset } from '#ui/format.ts'
import { shorten, showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'

/** `key` finds the attribute in a search; '' if it can't be searched. */
export type AttributeView = { name: string; value: string; key: string; raw: string }
export type ContextLine = { key: string; offset: string; level: string; body: string; isHere: boolean }
export type LineDetailsView = {
  body: string
  attributes: AttributeView[]
  context: { where: string; lines: ContextLine[] }
  trace: { href: string; label: string } | null
  replay: { href: string } | null
  issues: { href: string; label: string; title: string; level: string }[]
}

const maxChars = 4_000
const searchableChars = 500
const around = 5
const contextChars = 300

/** Everything about one line: its attributes, what its host said before and after it, and where else its request is seen. */
export async function viewDetails(viewer: Viewer, line: LogDetails): Promise<LineDetailsView> {
  const base = `/${viewer.organization.slug}`
  const [kind = 'project'] = contextKindsOf(line)
  const [context, errors] = await Promise.all([
    attempt('lines around a line', listContext(viewer, line, kind, around)),
    attempt('errors of a line', listLineErrors(viewer, line)),
  ])
  const { before, after } = context.ok ? context.value : { before: [], after: [] }
  return {
    body: showHidden(line.body),
    attributes: attributesOf(line),
    context: {
      where: nameContext(kind, line),
      lines: [...before, { ...line, chars: 0 }, ...after].map(each => viewContext(each, line)),
    },
    trace: line.traceId
      ? {
          href: `${base}/traces/${line.traceId}${line.spanId ? `#span-${line.spanId}` : ''}`,
          label: `Trace ${line.traceId.slice(0, 8)}`,
        }
      : null,
    replay: line.replayId ? { href: `${base}/replays/${line.replayId}` } : null,
    issues: (errors.ok ? errors.value : []).slice(0, 3).flatMap(({ issue, eventId, title, level }) =>
      issue
        ? [
            {
              href: `${base}/issues/${issue.id}/events/${eventId}`,
              label: issue.shortId,
              title: shorten(title, 200),
              level,
            },
          ]
        : [],
    ),
  }
}

export const nameContext = (kind: string, { serverName, traceId }: Pick<LogLine, 'serverName' | 'traceId'>): string =>
  kind === 'host' ? shorten(serverName, 60) : kind === 'trace' ? `trace ${traceId.slice(0, 8)}` : 'this project'

export const viewContext = (line: LogLine, here: Pick<LogLine, 'id' | 'atUs'>): ContextLine => ({
  key: lineAddress(line),
  offset: formatOffset(Math.round((line.atUs - here.atUs) / 1_000)),
  level: line.level,
  body: showHidden(clipText(line.body, contextChars)),
  isHere: line.id === here.id,
})

/** The columns of the line first, then its own attributes by name. */
function attributesOf(line: LogDetails): AttributeView[] {
  const columns = Object.entries({
    route: line.route,
    release: line.release,
    environment: line.environment,
    server_name: line.serverName,
    'user.id': line.userId,
    trace: line.traceId,
    span: line.spanId,
    replay: line.replayId,
    template: line.template,
    origin: line.origin,
    'sdk.name': line.sdk.split(' ')[0] ?? '',
  }).filter(([, value]) => value !== '')
  const known = new Set(columns.map(([, value]) => value))
  const names = new Set(columns.map(([name]) => name))
  const own = [
    ...Object.entries(line.attributes),
    ...Object.entries(line.numbers).map(([name, value]): [string, string] => [name, String(value)]),
  ]
    // SDKs repeat what a column holds, such as server.address.
    .filter(([name, value]) => !names.has(name) && !(keyOfName(name, logFields) !== name && known.has(value)))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return [...own, ...columns].map(([name, value]) => ({
    name: shorten(name, 200),
    value: shorten(value, maxChars),
    key: value.length <= searchableChars && name.length <= 200 ? keyOfName(name, logFields) : '',
    raw: value.length <= searchableChars ? value : '',
  }))
}
