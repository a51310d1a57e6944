import { csvLine, type ExportedLine, readLogExport } from '#domain/logs/export-logs.ts'
import { requireViewer } from '#web/viewer.ts'
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

/** What the search finds, as CSV or as lines of JSON, while it is read. */
export async function GET(
  request: Request,
  { params: route }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const viewer = await requireViewer((await route).org)
  const search = new URL(request.url).searchParams
  const params = readLogParams(Object.fromEntries(search))
  const filter = readLogFilter(viewer, params)
  if (!filter) return new Response('The search has an error.\n', { status: 400 })
  const format = search.get('format') === 'csv' ? 'csv' : 'ndjson'
  const own = params.columns.filter(name => !(fields as readonly string[]).includes(name))
  const pages = readLogExport(viewer, { ...filter, after: undefined })
  const encoder = new TextEncoder()
  const write = (line: ExportedLine): string =>
    format === 'csv'
      ? csvLine([
          ...fields.map(name => line[name]),
          ...own.map(name => (Object.hasOwn(line.attributes, name) ? (line.attributes[name] ?? '') : '')),
          JSON.stringify(line.attributes),
        ])
      : `${JSON.stringify(line)}\n`
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (format === 'csv') controller.enqueue(encoder.encode(csvLine([...fields, ...own, 'attributes'])))
    },
    async pull(controller) {
      const next = await pages.next()
      if (next.done) return controller.close()
      controller.enqueue(encoder.encode(next.value.map(write).join('')))
    },
    async cancel() {
      await pages.return(undefined)
    },
  })
  const name = `logs-${viewer.organization.slug}-${new Date(viewer.now).toISOString().slice(0, 10)}.${format}`
  return new Response(body, {
    headers: {
      'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
