/**
 * How long a page of one organization takes while a member of another floods the engine with slow searches, as a ratio to the quiet time
 * of the same run: abandoned searches (closed after 300 ms) and patient ones (read to the end).
 *   npm run bench -- neighbors [--lines 300000] [--rounds 40]
 */

import { signInVisitor } from '../test/e2e/visitor.ts'
import { floodSearches } from '../test/flood-searches.ts'
import { readNumber } from './lib/options.ts'
import { percentile } from './lib/percentile.ts'
import { report } from './lib/report.ts'
import { mergesDone } from './lib/seeded-hydrant.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'

const lines = readNumber('lines', 300_000)
const rounds = readNumber('rounds', 40)
const warmUps = 3
const atOnce = 12
/** The flood ends by its signal. */
const endless = 1_000_000
const password = 'correct horse battery'

const hydrant = await startBenchHydrant({ web: true })
try {
  await hydrant.init('--org', 'other', '--project', 'app', '--email', 'other@example.com', '--password', password)
  const seed = (org: string, project: string) =>
    hydrant.cli('seed', '--org', org, '--project', project, '--events', '100', '--spans', '0', '--logs', String(lines))
  await seed('acme', 'web')
  await seed('other', 'app')
  await mergesDone(hydrant.dataDir)
  const flooder = await signInVisitor(hydrant.url, 'bench@example.com', password)
  const reader = await signInVisitor(hydrant.url, 'other@example.com', password)

  /** A different search each time, so that it is not cached. */
  let search = 0
  async function readPages(): Promise<{ ms: number[]; failed: number }> {
    const ms: number[] = []
    let failed = 0
    for (let round = -warmUps; round < rounds; round++) {
      const begun = performance.now()
      const path = `/other/logs?${new URLSearchParams({ range: '24h', q: `-nothing${search++}` })}`
      const text = await (await reader.get(path)).text()
      if (round < 0) continue
      ms.push(performance.now() - begun)
      if (text.includes('could not be loaded')) failed += 1
    }
    return { ms, failed }
  }

  const quiet = await readPages()
  const kinds = [
    { name: 'page beside abandoned searches', hangUpAfterMs: 300 },
    { name: 'page beside patient searches', hangUpAfterMs: null },
  ]
  for (const { name, hangUpAfterMs } of kinds) {
    const stop = new AbortController()
    const headers = { cookie: flooder.cookie() }
    const flood = floodSearches({
      ...{ url: hydrant.url, headers, org: 'acme', searches: endless, atOnce, hangUpAfterMs },
      signal: stop.signal,
    })
    const busy = await readPages()
    stop.abort()
    const { answered, givenUp } = await flood
    for (const [share, label] of [
      [0.5, 'p50'],
      [0.95, 'p95'],
    ] as const)
      report({
        ...{ name: `${name}, ${label}`, value: percentile(busy.ms, share), unit: 'ms', promise: null },
        limit: { name: `quiet, ${label}`, value: percentile(quiet.ms, share) },
        note: `${answered} searches answered, ${givenUp} given up`,
      })
    report({
      ...{ name: `${name}, without data`, value: busy.failed, unit: `of ${rounds}` },
      promise: { of: 'value', is: 'at most', bound: 0 },
    })
  }
} finally {
  await hydrant.stop()
}
