import { csvLine, type ExportEnd, type ExportedLine, exportLimits, readLogExport } from '#domain/logs/export-logs.ts'
import { clipText } from '#lib/text.ts'
import { jsonLine } from '#web/json-lines.ts'
import { downloadResponse } from '#web/stream-parts.ts'
import { requireViewer } from '#web/viewer.ts'
import { sessionCheck } from '#web/while-allowed.ts'
import { readLogFilter, readLogParams } from '../search-params.ts'

/** The attributes that are columns of the list get a column; all of them are in the last one, as JSON. */
const fields = [
  'timestamp',
  'level',
  'project',
  'message',
  'route',
  'release',
  'environment',
  'server_name',
  'user.id',
  'trace',
  'span',
  'replay',
] as const satisfies readonly (keyof ExportedLine)[]

const formats = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: (own: readonly string[]): string => csvLine([...fields, ...own, 'attributes']),
    write: (line: ExportedLine, own: readonly string[]): string =>
      csvLine([
        ...fields.map(name => line[name]),
        ...own.map(name => (Object.hasOwn(line.attributes, name) ? (line.attributes[name] ?? '') : '')),
        JSON.stringify(line.attributes),
      ]),
    // The only row with one cell.
    lineOf: (words: string): string => csvLine([words]),
  },
  ndjson: {
    type: 'application/x-ndjson',
    head: (): string => '',
    write: (line: ExportedLine): string => jsonLine(line),
    // The only line without a timestamp.
    lineOf: (error: string): string => jsonLine({ error }),
  },
}

/**
 * Streams the lines that match the search, as CSV or as lines of JSON. Unlike the page, it refuses a parameter that it can't read: the file
 * would contain other lines than the ones that were asked for.
 */
export async function GET(
  request: Request,
  { params: route }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const viewer = await requireViewer((await route).org)
  const search = new URL(request.url).searchParams
  const params = readLogParams(Object.fromEntries(Array.from(search.keys(), name => [name, oneOrAll(search, name)])))
  const [wrong] = params.ignored ?? []
  if (wrong) return refuse(`${wrong.name}=${clipText(wrong.value, 100)}: this value is unknown.`)
  const filter = readLogFilter(viewer, params)
  if (!filter) return refuse('The search has an error.')
  const kind = kinds.find(each => each === (search.get('format') || 'ndjson'))
  if (kind === undefined) return refuse(`format takes ${kinds.join(' or ')}.`)
  const own = params.columns.filter(name => !(fields as readonly string[]).includes(name))
  return downloadResponse({
    name: `logs-${viewer.organization.slug}-${new Date(viewer.now).toISOString().slice(0, 10)}.${kind}`,
    type: formats[kind].type,
    route: '/[org]/logs/export',
    parts: writeFile(readLogExport(viewer, { ...filter, after: undefined }), kind, own),
    isAllowed: await sessionCheck(viewer, { projectIds: filter.projectIds }),
    lineOf: formats[kind].lineOf,
  })
}

const kinds = ['csv', 'ndjson'] as const

const refuse = (message: string): Response => new Response(`${message}\n`, { status: 400 })

const oneOrAll = (search: URLSearchParams, name: string): string | string[] => {
  const all = search.getAll(name)
  return all.length === 1 ? (all[0] ?? '') : all
}

async function* writeFile(
  pages: AsyncGenerator<ExportedLine[], ExportEnd>,
  kind: keyof typeof formats,
  own: readonly string[],
): AsyncGenerator<string, void> {
  const { head, write, lineOf } = formats[kind]
  let text = head(own)
  try {
    for (;;) {
      const { value, done } = await pages.next()
      if (done) {
        if (value.hasMore) text += lineOf(atLimit)
        if (text !== '') yield text
        return
      }
      yield text + value.map(line => write(line, own)).join('')
      text = ''
    }
  } finally {
    await pages.return({ hasMore: false })
  }
}

const atLimit = `This export ends at its limit of ${exportLimits.lines.toLocaleString('en-US')} lines. More lines match: choose a shorter time range or a narrower search.`
