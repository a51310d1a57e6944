/**
 * The table of routes over 30 days of seeded visits, and the page of the busiest route: to the last byte, against the bare query.
 * Both are drawn from sums, so their cost follows the number of routes and days, not of spans. Sums of a month are remembered for a
 * minute: what the first look costs is told beside it.
 *   npm run bench -- routes [--scale 1] [--rounds 20] [--keep folder]
 * The month is the one that `pages` seeds: with the same `--keep` folder it is made once for both.
 */

import { readRoute } from '#domain/routes/find-route.ts'
import { readRoutes } from '#domain/routes/list-routes.ts'
import { openTelemetry, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { signInVisitor } from '../test/e2e/visitor.ts'
import { viewAs } from '../test/view-as.ts'
import { readNumber, readText } from './lib/options.ts'
import { percentile } from './lib/percentile.ts'
import { report } from './lib/report.ts'
import { account, startSeededHydrant } from './lib/seeded-hydrant.ts'

const scale = readNumber('scale', 1)
const size = { events: Math.round(1e6 * scale), spans: Math.round(1e7 * scale) }
const rounds = readNumber('rounds', 20)
const route = '/items/[id]'
const filter = { rangeMs: 30 * 86_400_000 }
const hydrant = await startSeededHydrant(size, readText('keep'))

try {
  await hydrant.settled()
  const { org, project: slug, email, password } = account
  const { project } = await hydrant.init('--org', org, '--project', slug)
  const visitor = await signInVisitor(hydrant.url, email, password)
  const telemetry = openTelemetry(
    telemetryAddress({ dataDir: hydrant.dataDir, clickhouseUrl: process.env.CLICKHOUSE_URL }),
  )
  const viewer = viewAs({ telemetry }, { projects: [project.id] })
  const pages = [
    { name: 'table of routes', path: `/${org}/routes?range=30d`, ask: () => readRoutes(viewer, filter) },
    {
      name: 'page of one route',
      path: `/${org}/routes${encodeURI(route)}?range=30d`,
      ask: () => readRoute(viewer, filter, route),
    },
  ]
  for (const { name, path, ask } of pages) {
    const pageMs: number[] = []
    const queryMs: number[] = []
    await (await visitor.get(path.replace('30d', '7d'))).arrayBuffer() // compiles the page
    const firstMs = await timeOnce(path)
    for (let round = -2; round < rounds; round++) {
      const begun = performance.now()
      const answer = await visitor.get(path)
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      const drawn = performance.now()
      await ask()
      if (round < 0) continue // the first ones compile the page
      pageMs.push(drawn - begun)
      queryMs.push(performance.now() - drawn)
    }
    report({
      name: `${name}, 30 days, to last byte, p95`,
      value: percentile(pageMs, 0.95),
      unit: 'ms',
      limit: { name: 'its bare query, p95', value: percentile(queryMs, 0.95) },
      promise: name === 'table of routes' ? { of: 'value', is: 'at most', bound: 150 } : null,
      note: `${size.spans.toLocaleString('en-US')} spans, p50 ${Math.round(percentile(pageMs, 0.5))} ms; the first look at it ${Math.round(firstMs)} ms`,
    })
  }
  await telemetry.close()

  async function timeOnce(path: string): Promise<number> {
    const begun = performance.now()
    await (await visitor.get(path)).arrayBuffer()
    return performance.now() - begun
  }
} finally {
  await hydrant.end()
}
