/**
 * What processing a record costs on one core, in µs per item, and as a ratio to a bare JSON.parse of the same bytes.
 *   node bench/process.ts [seconds per case]
 */
import { processRecord } from '#digest/process-record.ts'
import { readCapture } from '../test/read-capture.ts'

type Case = { name: string; file: string; itemsPerRecord: number; goalUs: number | null }

const cases: Case[] = [
  { name: 'node error, 4.6 KB', file: 'node-error/002', itemsPerRecord: 1, goalUs: 150 },
  { name: 'browser error, 3.9 KB', file: 'next-client-errors/008', itemsPerRecord: 1, goalUs: null },
  { name: 'server error with request, 9 KB', file: 'next-client-errors/019', itemsPerRecord: 1, goalUs: null },
  { name: 'server spans, 32 of 2.2 KB', file: 'next-pageload/006', itemsPerRecord: 32, goalUs: 25 },
  { name: 'browser spans, 27 of 2 KB', file: 'next-pageload/007', itemsPerRecord: 27, goalUs: 25 },
  { name: 'transaction of 4 spans, 4 KB', file: 'node-static-tracing/001', itemsPerRecord: 4, goalUs: null },
  { name: 'log lines, 7 of 0.7 KB', file: 'node-logs/001', itemsPerRecord: 7, goalUs: null },
]
const secondsPerCase = Number(process.argv[2] ?? 1)
const context = { recordId: 'bench', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }

for (const { name, file, itemsPerRecord, goalUs } of cases) {
  const record = readCapture(file)
  const lines = record.body.toString('utf8').split('\n')
  const processUs = measureUs(() => processRecord(record, context)) / itemsPerRecord
  const parseUs = measureUs(() => lines.map(line => JSON.parse(line))) / itemsPerRecord
  const goal = goalUs === null ? '' : `  goal ${goalUs} µs ${processUs <= goalUs ? 'met' : 'MISSED'}`
  const ratio = (processUs / parseUs).toFixed(2)
  console.log(`${name.padEnd(34)} ${processUs.toFixed(1).padStart(7)} µs  ${ratio.padStart(5)} × JSON.parse${goal}`)
}

/** CPU time of the whole process, so that neighbors on the machine do not count; the median of rounds. */
function measureUs(work: () => unknown): number {
  const cpuUs = () => process.cpuUsage().user + process.cpuUsage().system
  for (let runs = 0; runs < 300; runs++) work()
  const rounds: number[] = []
  const end = cpuUs() + secondsPerCase * 1e6
  while (cpuUs() < end) {
    const start = cpuUs()
    let runs = 0
    while (cpuUs() - start < 20_000) for (let batch = 0; batch < 20; batch++, runs++) work()
    rounds.push((cpuUs() - start) / runs)
  }
  rounds.sort((a, b) => a - b)
  return rounds[Math.floor(rounds.length / 2)] ?? 0
}
