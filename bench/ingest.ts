/**
 * Acknowledged per second, as a ratio to a bare `node:http` sink under the same client in the same run. Digest runs beside it and
 * takes its share of the machine, as it does in life; it is left to finish before the sink is measured.
 *   npm run bench -- ingest [--seconds 4] [--rounds 3]
 */
import { readCapture } from './lib/capture.ts'
import type { LoadResult } from './lib/load-plan.ts'
import { readNumber } from './lib/options.ts'
import { report } from './lib/report.ts'
import { runLoad, startSink } from './lib/run-load.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'
import { templateBody } from './lib/template-body.ts'
import { readThreadCpuMs } from './lib/thread-cpu.ts'
import { waitForQuiet } from './lib/wait-for-quiet.ts'

type Measured = LoadResult & { perSecond: number; cpuUs: number }
type Round = { sink: Measured; hydrant: Measured }

const seconds = readNumber('seconds', 4)
const rounds = readNumber('rounds', 3)
const body = templateBody(readCapture('node-error/002'))
const sink = await startSink()
const hydrant = await startBenchHydrant({ web: false })
const results: Round[] = []
let serial = 1

try {
  await load(sink, 1)
  // The portable engine compiles what is hot during its first twenty seconds of work; what is promised is the life after that.
  await load({ port: hydrant.target.port, pid: hydrant.pid }, 2 * seconds)
  for (let round = 0; round < rounds; round++) {
    await hydrant.drained()
    await waitForQuiet(hydrant.pid)
    const bare = await load(sink, seconds)
    results.push({ sink: bare, hydrant: await load({ port: hydrant.target.port, pid: hydrant.pid }, seconds) })
  }
} finally {
  sink.stop()
  await hydrant.stop()
}

const ratioOf = (round: Round): number => round.hydrant.perSecond / round.sink.perSecond
const sorted = results.toSorted((a, b) => ratioOf(a) - ratioOf(b))
const middle = sorted[sorted.length >> 1]
if (!middle) throw new Error('no round was measured')
const refused = results.reduce((sum, { hydrant: one }) => sum + one.requests - one.acknowledged, 0)
const ratios = sorted.map(round => ratioOf(round).toFixed(2)).join(', ')

tell('acknowledged', '/s', result => result.perSecond, {
  promise: { of: 'ratio', is: 'at least', bound: 0.4 },
  note: `${refused} refused; middle of ${rounds} rounds of ${seconds} s (ratios ${ratios}), 64 connections, 4.6 KB, digest running`,
})
tell('acknowledgement, p99', 'ms', result => result.p99Ms)
tell('main thread, CPU per acknowledgement', 'µs', result => result.cpuUs)

type Told = Pick<Parameters<typeof report>[0], 'promise' | 'note'>

function tell(name: string, unit: string, of: (result: Measured) => number, told: Told = { promise: null }): void {
  if (!middle) return
  report({
    name,
    value: of(middle.hydrant),
    unit,
    limit: { name: 'bare node:http sink', value: of(middle.sink) },
    ...told,
  })
}

async function load({ port, pid }: { port: number; pid: number }, forSeconds: number): Promise<Measured> {
  const cpuBefore = readThreadCpuMs(pid)
  const stop = { afterMs: forSeconds * 1e3 }
  const result = await runLoad({ ...hydrant.target, port, bodies: [body], connections: 64, firstSerial: serial, stop })
  serial += result.requests
  const cpuUs = ((readThreadCpuMs(pid) - cpuBefore) * 1e3) / result.requests
  return { ...result, perSecond: result.acknowledged / result.seconds, cpuUs }
}
