/**
 * Anonymous memory of the whole product (main, web, engine): idle, after a million mixed items, and what a hundred oversized
 * bodies leave behind.
 *   npm run bench -- memory [--items 1000000]
 */
import { mixedBodies } from './lib/mixed-bodies.ts'
import { readNumber } from './lib/options.ts'
import { report } from './lib/report.ts'
import { runLoad } from './lib/run-load.ts'
import { type Oversized, sendOversized } from './lib/send-oversized.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'
import { readTreeMemory, type TreeMemory } from './lib/tree-memory.ts'

const items = readNumber('items', 1_000_000)
const settleMs = 5_000
const hydrant = await startBenchHydrant({ web: true })

try {
  await fetch(hydrant.url)
  const idle = await settled()
  report({
    name: 'memory, idle',
    value: idle.totalMB,
    unit: 'MB',
    promise: { of: 'value', is: 'at most', bound: 300 },
    note: shares(idle),
  })

  const statuses = await sendHundred()
  const grown = await settled()
  report({
    name: 'memory, growth after 100 oversized bodies',
    value: grown.totalMB - idle.totalMB,
    unit: 'MB',
    promise: { of: 'value', is: 'at most', bound: 100 },
    note: `50 of 200 MB, 50 bombs of 200 MB; answers ${statuses}`,
  })

  const { bodies, itemsPerRound } = mixedBodies()
  const requests = Math.ceil(items / itemsPerRound) * bodies.length
  const result = await runLoad({
    ...hydrant.target,
    bodies,
    connections: 8,
    firstSerial: 1,
    stop: { afterRequests: requests },
  })
  await hydrant.drained()
  const after = await settled()
  report({
    name: `memory, after ${items.toLocaleString('en-US')} mixed items`,
    value: after.totalMB,
    unit: 'MB',
    promise: { of: 'value', is: 'at most', bound: 450 },
    note: `${shares(after)}; ${result.requests - result.acknowledged} of ${result.requests} requests refused`,
  })
} finally {
  await hydrant.stop()
}

async function settled(): Promise<TreeMemory> {
  await new Promise(resolve => setTimeout(resolve, settleMs))
  return readTreeMemory(hydrant.pid)
}

async function sendHundred(): Promise<string> {
  const counts = new Map<number, number>()
  for (let round = 0; round < 25; round++) {
    const kinds: Oversized[] = ['plain', 'bomb', 'plain', 'bomb']
    for (const status of await Promise.all(kinds.map(kind => sendOversized(kind, hydrant.target))))
      counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return [...counts].map(([status, count]) => `${count} × ${status === 0 ? 'hung up' : status}`).join(', ')
}

function shares({ processes }: TreeMemory): string {
  return processes.map(({ command, anonymousMB }) => `${command} ${Math.round(anonymousMB)}`).join(', ')
}
