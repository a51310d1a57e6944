/**
 * The page of a trace with 1,000 and with 10,000 spans: to the last byte, against the bare query for its spans; what it costs the
 * browser, and how evenly it scrolls.
 *   npm run bench -- traces [--rounds 20]
 */

import { readTraceSpans } from '#domain/traces/read-trace-spans.ts'
import { openTelemetry, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { largeTrace, recipientOf, sendSpans } from '../test/e2e/trace-scenes.ts'
import { signInVisitor } from '../test/e2e/visitor.ts'
import { viewAs } from '../test/view-as.ts'
import { measureScrolling } from './lib/measure-scrolling.ts'
import { readNumber } from './lib/options.ts'
import { percentile } from './lib/percentile.ts'
import { report } from './lib/report.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'

const rounds = readNumber('rounds', 20)
const warmUps = 8 // until the page and, on the portable engine, the query itself are compiled
const sizes = [1_000, 10_000]
const hydrant = await startBenchHydrant({ web: true })

try {
  const { dsn, project } = await hydrant.init('--org', 'acme', '--project', 'web')
  const visitor = await signInVisitor(hydrant.url, 'bench@example.com', 'correct horse battery')
  const telemetry = openTelemetry(
    telemetryAddress({ dataDir: hydrant.dataDir, clickhouseUrl: process.env.CLICKHOUSE_URL }),
  )
  const viewer = viewAs({ telemetry }, { projects: [project.id] })
  for (const size of sizes) {
    const traceId = size.toString(16).padStart(32, 'f')
    await sendSpans(recipientOf(dsn), { traceId, beganAt: Date.now() - 120_000, spans: largeTrace(size) })
    await hydrant.drained()
    const path = `/acme/traces/${traceId}`
    const pageMs: number[] = []
    const queryMs: number[] = []
    let pageBytes = 0
    for (let round = -warmUps; round < rounds; round++) {
      const begun = performance.now()
      pageBytes = (await (await visitor.get(path)).arrayBuffer()).byteLength
      const drawn = performance.now()
      const { spans } = await readTraceSpans(viewer, traceId)
      const read = performance.now()
      if (spans.length !== size) throw new Error(`${spans.length} of ${size} spans were read`)
      if (round < 0) continue
      pageMs.push(drawn - begun)
      queryMs.push(read - drawn)
    }
    const name = `trace of ${size.toLocaleString('en-US')} spans`
    report({
      ...{ name: `${name}, page to last byte, p95`, value: percentile(pageMs, 0.95), unit: 'ms' },
      limit: { name: 'its bare query, p95', value: percentile(queryMs, 0.95) },
      promise: { of: 'value', is: 'at most', bound: 150 },
      note: `p50 ${Math.round(percentile(pageMs, 0.5))} ms, ${Math.round(pageBytes / 1_000)} KB`,
    })
    const { scriptMs, frameMs } = await measureScrolling(hydrant.url, path)
    report({ name: `${name}, script until it can be used`, value: scriptMs, unit: 'ms', promise: null })
    report({
      name: `${name}, frame while scrolling, p95`,
      value: frameMs,
      unit: 'ms',
      promise: null,
      note: '60 a second are 16.7 ms',
    })
  }
  await telemetry.close()
} finally {
  await hydrant.stop()
}
