/**
 * Acknowledged per second, as a ratio to a bare `node:http` sink under the same client in the same run. Digest runs beside it and
 * takes its share of the machine, as it does in life; it is left to finish before the sink is measured.
 *   npm run bench -- ingest [--seconds 5] [--rounds 3]
 */
import { readCapture } from './lib/capture.ts'
import type { LoadPlan, LoadResult } from './lib/load-plan.ts'
import { readNumber } from './lib/options.ts'
import { median } from './lib/percentile.ts'
import { runLoad, startSink } from './lib/run-load.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'
import { templateBody } from './lib/template-body.ts'
import { report } from './lib/verdict.ts'

const seconds = readNumber('seconds', 4)
const rounds = readNumber('rounds', 3)
const body = templateBody(readCapture('node-error/002'))
const sink = await startSink()
const hydrant = await startBenchHydrant({ web: false })
const results: { sink: LoadResult; hydrant: LoadResult }[] = []
let serial = 1

try {
  await load(hydrant.target, 2)
  for (let round = 0; round < rounds; round++) {
    await hydrant.drained()
    const bare = await load({ ...hydrant.target, port: sink.port }, seconds)
    results.push({ sink: bare, hydrant: await load(hydrant.target, seconds) })
  }
} finally {
  sink.stop()
  await hydrant.stop()
}

const perSecond = ({ acknowledged, seconds: took }: LoadResult): number => acknowledged / took
const acked = median(results.map(result => perSecond(result.hydrant)))
const limit = { name: 'bare node:http sink', value: median(results.map(result => perSecond(result.sink))) }
const refused = results.reduce((sum, { hydrant: one }) => sum + one.requests - one.acknowledged, 0)
const note = `${refused} refused; ${rounds} rounds of ${seconds} s, 64 connections, 4.6 KB, digest running`
report({
  name: 'acknowledged',
  value: acked,
  unit: '/s',
  limit,
  promise: { of: 'ratio', is: 'at least', bound: 0.4 },
  note,
})
report({
  name: 'acknowledgement, p99',
  value: median(results.map(result => result.hydrant.p99Ms)),
  unit: 'ms',
  limit: { name: 'bare node:http sink', value: median(results.map(result => result.sink.p99Ms)) },
  promise: null,
})

async function load(target: { port: number; path: string }, forSeconds: number): Promise<LoadResult> {
  const plan: LoadPlan = {
    ...target,
    bodies: [body],
    connections: 64,
    firstSerial: serial,
    stop: { afterMs: forSeconds * 1e3 },
  }
  const result = await runLoad(plan)
  serial += result.requests
  return result
}
