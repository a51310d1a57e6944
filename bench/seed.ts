/**
 * Rows per second of `hydrant seed` beside a running Hydrant, held against a bare insert of spans into the same engine, and the time of
 * `hydrant seed --quick`, held against the start of a command that only prints its help.
 *   npm run bench -- seed [--events 3000] [--spans 12000] [--logs 4000]
 */
import { bareInsertPerSecond } from './lib/bare-insert.ts'
import { readNumber } from './lib/options.ts'
import { report } from './lib/report.ts'
import { spanEnvelope } from './lib/span-envelope.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'

const counts = {
  events: readNumber('events', 3_000),
  spans: readNumber('spans', 12_000),
  logs: readNumber('logs', 4_000),
}
const hydrant = await startBenchHydrant({ web: false })

try {
  const container = spanEnvelope()
  const envelopes = Math.ceil(counts.spans / container.spanCount)
  await bareInsertPerSecond(hydrant.dataDir, 'Native', 'spans', container.body, 1)
  const bare = await bareInsertPerSecond(hydrant.dataDir, 'Native', 'spans', container.body, envelopes)
  const options = Object.entries(counts).flatMap(([name, count]) => [`--${name}`, String(count)])
  const words = await hydrant.cli('seed', ...options)
  const [, perSecond] = /\(([\d,]+) rows\/s\)/.exec(words) ?? []
  if (perSecond === undefined) throw new Error(`seed printed no rate: ${words}`)
  report({
    name: 'rows seeded',
    value: Number(perSecond.replaceAll(',', '')),
    unit: '/s',
    limit: { name: 'bare insert of spans', value: bare },
    promise: { of: 'value', is: 'at least', bound: 5_870 },
    note: `${Object.entries(counts)
      .map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`)
      .join(', ')} over 30 days`,
  })
  const startSeconds = await timeCli('seed', '--help')
  report({
    name: 'seed --quick',
    value: await timeCli('seed', '--quick'),
    unit: 's',
    limit: { name: 'seed --help', value: startSeconds },
    promise: { of: 'value', is: 'at most', bound: 15 },
  })
} finally {
  await hydrant.stop()
}

async function timeCli(...args: string[]): Promise<number> {
  const begun = performance.now()
  await hydrant.cli(...args)
  return (performance.now() - begun) / 1e3
}
