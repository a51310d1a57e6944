/**
 * The second start, as `npm start` does it when everything is built: until it accepts events, and until a page is drawn
 * for somebody who is not signed in.
 *   npm run bench -- start [--rounds 3]
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../test/start-hydrant.ts'
import { readNumber } from './lib/options.ts'
import { median } from './lib/percentile.ts'
import { report } from './lib/report.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'

const rounds = readNumber('rounds', 3)
const hydrant = await startBenchHydrant({ web: true })
const readySeconds: number[] = []
const pageSeconds: number[] = []

try {
  for (let round = 0; round < rounds; round++) {
    await fetch(hydrant.url) // everything is up before it is stopped
    await hydrant.kill('SIGTERM')
    const begun = performance.now()
    await promisify(execFile)(process.execPath, [join(root, 'bin/prepare.mjs')], { cwd: root })
    await hydrant.start()
    readySeconds.push((performance.now() - begun) / 1e3)
    const page = await fetch(hydrant.url)
    if (!page.ok && page.status !== 401) throw new Error(`the first page answered ${page.status}`)
    await page.text()
    pageSeconds.push((performance.now() - begun) / 1e3)
  }
} finally {
  await hydrant.stop()
}

const note = `median of ${rounds}`
const withinTwo = { of: 'value', is: 'at most', bound: 2 } as const
report({ name: 'second start, accepting events', value: median(readySeconds), unit: 's', promise: withinTwo, note })
report({ name: 'second start, first page', value: median(pageSeconds), unit: 's', promise: withinTwo, note })
