/**
 * The logs page with a month of lines, against the bare queries that it runs, and how soon a line is seen live.
 * - Newest lines, lines of an attribute, a word in a day and in a month: page to the last byte, p95.
 * - From the acknowledged line to the stream of a reader, while 2,000 lines/s arrive.
 * - The same queries without the index of words and without the counts by hour, as ratios, and how much of the table the index leaves.
 * - Bytes on disk per line, and of them the index of words.
 *   npm run bench -- logs [--lines 20000000] [--rounds 20] [--seconds 15]
 */
import { z } from 'zod'
import { listTagNames } from '#domain/issues/list-search-values.ts'
import { countLogs, facetKeys } from '#domain/logs/count-logs.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import type { Settings } from '#store/telemetry/query.ts'
import { openTelemetry, type Telemetry, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { signInVisitor } from '../test/e2e/visitor.ts'
import { viewAs } from '../test/view-as.ts'
import { readNumber } from './lib/options.ts'
import { percentile } from './lib/percentile.ts'
import { report } from './lib/report.ts'
import { mergesDone } from './lib/seeded-hydrant.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'

const lines = readNumber('lines', 20_000_000)
const rounds = readNumber('rounds', 20)
const seconds = readNumber('seconds', 15)
const warmUps = 3
const perSecond = 2_000
const perEnvelope = 100
const dayMs = 86_400_000

const hydrant = await startBenchHydrant({ web: true })
try {
  const { dsn, project } = await hydrant.init('--org', 'acme', '--project', 'web')
  const seeded = ['--events', '100', '--spans', '0', '--logs', String(lines)]
  const begun = performance.now()
  await hydrant.cli('seed', '--org', 'acme', '--project', 'web', ...seeded)
  const filled = performance.now()
  await mergesDone(hydrant.dataDir)
  const minutes = (ms: number) => (ms / 60e3).toFixed(1)
  process.stdout.write(
    `filled in ${minutes(filled - begun)} min, merged ${minutes(performance.now() - filled)} min later\n`,
  )
  const visitor = await signInVisitor(hydrant.url, 'bench@example.com', 'correct horse battery')
  const telemetry = openTelemetry(
    telemetryAddress({ dataDir: hydrant.dataDir, clickhouseUrl: process.env.CLICKHOUSE_URL }),
  )
  const kinds = [
    { name: 'newest lines of a day', q: '', range: '24h', rangeMs: dayMs },
    { name: 'newest lines of 30 days', q: '', range: '30d', rangeMs: 30 * dayMs },
    { name: 'lines of an attribute in a day', q: 'queue.depth:>5 level:>=warn', range: '24h', rangeMs: dayMs },
    { name: 'a word in a day', q: 'refused', range: '24h', rangeMs: dayMs },
    { name: 'errors of 30 days', q: 'level:error', range: '30d', rangeMs: 30 * dayMs },
    { name: 'a word in 30 days', q: 'refused', range: '30d', rangeMs: 30 * dayMs },
    { name: 'a rare word in 30 days', q: '4077', range: '30d', rangeMs: 30 * dayMs },
  ]
  for (const { name, q, range, rangeMs } of kinds) {
    const path = `/acme/logs?${new URLSearchParams({ q, range })}`
    const filter = { terms: parseSearch(q, languageOf(logFields)).terms, rangeMs }
    const pageMs: number[] = []
    const queryMs: number[] = []
    for (let round = -warmUps; round < rounds; round++) {
      const begun = performance.now()
      await (await visitor.get(path)).arrayBuffer()
      const drawn = performance.now()
      const viewer = viewAs({ telemetry }, { projects: [project.id] })
      const names = listTagNames(viewer, 'logs', { rangeMs: Math.min(rangeMs, 3_600_000) })
      await Promise.all([listLogs(viewer, filter), countLogs(viewer, filter), names])
      const read = performance.now()
      if (round < 0) continue
      pageMs.push(drawn - begun)
      queryMs.push(read - drawn)
    }
    const bare = percentile(queryMs, 0.95)
    report({
      ...{ name: `${name}, page, p95`, value: percentile(pageMs, 0.95), unit: 'ms' },
      limit: { name: 'its queries, p95', value: bare },
      promise: { of: 'value', is: 'at most', bound: 2 * bare + 50 },
      note: `p50 ${Math.round(percentile(pageMs, 0.5))} ms`,
    })
  }
  const month = (q: string) => ({ terms: parseSearch(q, languageOf(logFields)).terms, rangeMs: 30 * dayMs })
  const reader = (store: Telemetry) => viewAs({ telemetry: store }, { projects: [project.id] })
  // A facet that the counts by hour lack: then every line is read, in one pass.
  const everyLine = [...facetKeys, 'sdk.name']
  const noIndex = withSettings(telemetry, { use_skip_indexes: 0 })
  const halves = [
    ...['', 'level:error'].map(q => ({
      name: `chart of ${q || 'lines'}, 30 days, counts by hour`,
      use: () => countLogs(reader(telemetry), month(q)),
      without: () => countLogs(reader(telemetry), month(q), everyLine),
    })),
    ...['refused', '4077'].map(q => ({
      name: `list for the word ${q}, 30 days, index of words`,
      use: () => listLogs(reader(telemetry), month(q)),
      without: () => listLogs(reader(noIndex), month(q)),
    })),
  ]
  for (const { name, use, without } of halves) {
    const timed: [number[], number[]] = [[], []]
    for (let round = -warmUps; round < rounds; round++)
      for (const [half, read] of [use, without].entries()) {
        const begun = performance.now()
        await read()
        if (round >= 0) timed[half === 0 ? 0 : 1].push(performance.now() - begun)
      }
    report({
      ...{ name: `${name}, p50`, value: percentile(timed[0], 0.5), unit: 'ms', promise: null },
      limit: { name: 'without, p50', value: percentile(timed[1], 0.5) },
    })
  }
  for (const word of ['refused', '4077', 'nowhere']) {
    const { read, all } = await granulesOf(telemetry, project.id, word)
    report({
      ...{ name: `granules that may have the word ${word}`, value: read, unit: '', promise: null },
      limit: { name: 'all of 30 days', value: all },
    })
  }
  const [size] = await telemetry.query({
    query: `SELECT sum(bytes_on_disk) / sum(rows) AS bytes, sum(secondary_indices_compressed_bytes) / sum(rows) AS indexes,
              (SELECT sum(bytes_on_disk) FROM system.projection_parts WHERE active AND database = currentDatabase() AND table = 'logs') / sum(rows) AS hours
            FROM system.parts WHERE active AND database = currentDatabase() AND table = 'logs' LIMIT 1`,
    schema: z.object({ bytes: z.number(), indexes: z.number(), hours: z.number() }),
  })
  report({ name: 'bytes on disk per line', value: size?.bytes ?? 0, unit: 'B', promise: null })
  report({ name: 'of them indexes', value: size?.indexes ?? 0, unit: 'B', promise: null })
  report({ name: 'of them counts by hour', value: size?.hours ?? 0, unit: 'B', promise: null })
  await telemetry.close()
  await measureTail(dsn, await visitor.get('/acme/logs/tail?q=probe'))
} finally {
  await hydrant.stop()
}

/** How many granules of the table a search for a word reads: what the index of words leaves of them, whatever the machine does. */
async function granulesOf(telemetry: Telemetry, projectId: number, word: string) {
  const plan = await telemetry.query({
    query: `EXPLAIN indexes = 1 SELECT timestamp FROM logs WHERE project_id = {projectId:UInt64} AND hasToken(lower(body), {word:String})`,
    params: { projectId, word },
    schema: z.object({ explain: z.string() }),
  })
  const text = plan.map(({ explain }) => explain).join('\n')
  const [, read = '', all = ''] = /Name: body_words[\s\S]*?Granules: (\d+)\/(\d+)/.exec(text) ?? []
  return { read: Number(read), all: Number(all) }
}

/** The same store, whose queries have these settings too. */
function withSettings(telemetry: Telemetry, settings: Settings): Telemetry {
  const query: Telemetry['query'] = given => telemetry.query({ ...given, settings: { ...given.settings, ...settings } })
  return { ...telemetry, query }
}

async function measureTail(dsn: string, stream: Response): Promise<void> {
  const sentAt = new Map<string, number>()
  const delays: number[] = []
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream.body ?? []) {
      const text = decoder.decode(chunk, { stream: true })
      for (const [, name = ''] of text.matchAll(/probe (\d+)/g)) {
        const at = sentAt.get(name)
        if (at !== undefined) delays.push(performance.now() - at)
        sentAt.delete(name)
      }
    }
  })().catch(() => undefined)
  const begun = performance.now()
  let sent = 0
  while (performance.now() - begun < seconds * 1_000) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * (perSecond / perEnvelope))
    for (; sent < due; sent++) {
      const name = String(sent)
      const isProbe = sent % 5 === 0
      await post(dsn, isProbe ? [`probe ${name}`] : Array.from({ length: perEnvelope }, () => `load of item ${name}`))
      if (isProbe) sentAt.set(name, performance.now())
    }
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  await new Promise(resolve => setTimeout(resolve, 2_000))
  await stream.body?.cancel().catch(() => undefined)
  void reading
  report({
    ...{ name: 'live tail, from acknowledged to seen, p95', value: percentile(delays, 0.95), unit: 'ms' },
    promise: { of: 'value', is: 'at most', bound: 1_000 },
    note: `p50 ${Math.round(percentile(delays, 0.5))} ms, ${delays.length} lines, ${sentAt.size} not seen`,
  })
}

async function post(dsn: string, bodies: string[]): Promise<void> {
  const { origin, username, pathname } = new URL(dsn)
  const items = bodies.map(body => ({ timestamp: Date.now() / 1_000, level: 'info', body, attributes: {} }))
  const head = { type: 'log', item_count: items.length, content_type: 'application/vnd.sentry.items.log+json' }
  const body = ['{}', JSON.stringify(head), JSON.stringify({ version: 2, items })].join('\n')
  const response = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, { method: 'POST', body })
  if (response.status !== 200) throw new Error(`a line was answered with ${response.status}`)
}
