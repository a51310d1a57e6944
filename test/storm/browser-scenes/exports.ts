import { setTimeout } from 'node:timers/promises'
import { auditPageRows } from '#domain/audit/list-audit.ts'
import { deliveryPageRows } from '#domain/channels/read-delivery-log.ts'
import { exportLimits } from '#domain/logs/export-logs.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { collections, exportedLists } from '../../e2e/long-lists.ts'
import { sendLines } from '../../e2e/send-lines.ts'
import { until } from '../../start-hydrant.ts'
import { isFullStorm, type LedgerRow } from '../ledger.ts'
import { type BrowserScene, listRows } from './open-scene.ts'

/** Whole pages before the last row. */
const pages = isFullStorm ? 10 : 2
const exportNames = Object.keys(exportedLists) as (keyof typeof exportedLists)[]

/** Files and lists are read while rows arrive for all of them: all rows of before are there, each once. */
export async function playExports(scene: BrowserScene): Promise<LedgerRow[]> {
  const control = openControl({ dataDir: scene.hydrant.dataDir })
  try {
    const before = await fillExports(scene, control)
    const lists = Object.entries(collections).filter((_, index) => isFullStorm || index % 4 === 2)
    const listed = new Map<string, string[]>()
    for (const [path] of lists) listed.set(path, (await walk(scene, path)).ids)
    const ingest = startIngest(scene, control)
    const rows: LedgerRow[] = []
    for (const name of exportNames) rows.push(compare(name, before[name], await readFile(scene, name)))
    const csv = exportedLists['logs/export/route.ts'].replace('ndjson', 'csv')
    rows.push(compare('logs/export/route.ts, CSV', before['logs/export/route.ts'], await readCsv(scene, csv)))
    for (const [path, { count, times = 1 }] of lists) {
      const expected = listed.get(path) ?? []
      if (expected.length < (count ?? times * listRows)) throw new Error(`${path} has only ${expected.length} rows`)
      const found = await walk(scene, path)
      if (found.pages < 3) throw new Error(`${path} has only ${found.pages} pages`)
      const { duplicated, ...row } = compare(path, expected, found.ids)
      // A list that is read by position repeats rows that newer ones have pushed to the next page.
      rows.push({ ...row, duplicated: [], repeated: duplicated.length })
    }
    const sent = await ingest.stop()
    if (sent === 0) throw new Error('nothing was sent while the exports were read')
    return rows
  } finally {
    await control.close()
  }
}

function compare(who: string, expected: readonly string[], found: readonly string[]): LedgerRow {
  const times = new Map<string, number>()
  for (const id of found) times.set(id, (times.get(id) ?? 0) + 1)
  return {
    who,
    sent: expected.length,
    received: expected.filter(id => times.has(id)).length,
    lost: expected.filter(id => !times.has(id)),
    duplicated: [...times].filter(([, count]) => count > 1).map(([id]) => id),
    repeated: 0,
    open: 0,
  }
}

/** The field that tells lines of a file from each other. */
const idOf: Record<keyof typeof exportedLists, string> = {
  'logs/export/route.ts': 'message',
  'settings/audit/export/route.ts': 'id',
  'settings/channels/export/route.ts': 'id',
}

/** Fills each file with whole pages and one row more. Resolves with the ids of its rows. */
async function fillExports({ hydrant, lists }: BrowserScene, { db }: Control): Promise<typeof before> {
  const lines = Array.from({ length: pages * exportLimits.pageLines + 1 }, (_, index) => `walked line ${index}`)
  const at = Date.now() - 60_000
  for (let from = 0; from < lines.length; from += 1_000)
    await sendLines(
      lists.dsn,
      lines.slice(from, from + 1_000).map((body, index) => ({ body: `${body} of a file`, at: at - from - index })),
    )
  await hydrant.drained()
  await addAudit(db, pages * auditPageRows + 1)
  await addDeliveries(db, pages * deliveryPageRows + 1)
  const audited = await db.selectFrom('audit').select('id').where('organization_id', 'is not', null).execute()
  const delivered = await db.selectFrom('delivery').select('id').execute()
  const before: Record<keyof typeof exportedLists, string[]> = {
    'logs/export/route.ts': lines.map(body => `${body} of a file`),
    'settings/audit/export/route.ts': audited.map(({ id }) => String(id)),
    'settings/channels/export/route.ts': delivered.map(({ id }) => String(id)),
  }
  return before
}

async function addAudit(db: Control['db'], count: number): Promise<void> {
  const { id: _, ...entry } = await db
    .selectFrom('audit')
    .selectAll()
    .where('organization_id', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  for (const chunk of chunksOf(Array.from({ length: count }, () => ({ ...entry, position: null }))))
    await db.insertInto('audit').values(chunk).execute()
}

async function addDeliveries(db: Control['db'], count: number): Promise<void> {
  const { id } = await db.selectFrom('channel').select('id').limit(1).executeTakeFirstOrThrow()
  const row = {
    ...{ outbox_id: null, channel_id: id, at: Date.now(), title: '', attempt: 1, outcome: 'sent' as const },
    ...{ status: 200, latency_ms: 1, response: '' },
  }
  for (const chunk of chunksOf(Array.from({ length: count }, () => row)))
    await db.insertInto('delivery').values(chunk).execute()
}

const pauseMs = isFullStorm ? 10 : 200

/** New rows for every list until it is stopped. */
function startIngest({ lists }: BrowserScene, { db }: Control) {
  let isRunning = true
  let sent = 0
  const run = async (): Promise<void> => {
    for (; isRunning; sent++) {
      await sendLines(lists.dsn, [{ body: `walked line ${sent} of later` }])
      await lists.sendRow(listRows + sent, Date.now() / 1_000)
      await addAudit(db, 1)
      await addDeliveries(db, 1)
      await setTimeout(pauseMs)
    }
  }
  const running = run()
  return {
    stop: async () => {
      isRunning = false
      await running
      return sent
    },
  }
}

const walk = ({ lists }: BrowserScene, path: string) => {
  const { id, more = '' } = collections[path] ?? { id: 'id' }
  const size = more.includes('per_page') ? '' : `per_page=${Math.floor(listRows / 2)}`
  return lists.walkApi(lists.addressOf(path, [more, size].filter(Boolean).join('&')), row => row[id])
}

async function download({ context, proxy }: BrowserScene, path: string): Promise<string> {
  const cookie = (await context.cookies(proxy.url)).map(({ name, value }) => `${name}=${value}`).join('; ')
  let text = ''
  await until(async () => {
    const response = await fetch(proxy.url + path, { headers: { cookie } })
    text = await response.text()
    return response.status === 200
  })
  return text
}

const readFile = async (scene: BrowserScene, name: keyof typeof exportedLists): Promise<string[]> =>
  (await download(scene, exportedLists[name]))
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const row = JSON.parse(line)
      if ('error' in row) throw new Error(`${name}: ${row.error}`)
      return String(row[idOf[name]])
    })

/** The message is the fourth column, and these have no commas. */
const readCsv = async (scene: BrowserScene, path: string): Promise<string[]> =>
  (await download(scene, path))
    .split('\r\n')
    .slice(1)
    .filter(Boolean)
    .map(line => line.split(',')[3] ?? line)
