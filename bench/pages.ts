/**
 * How long pages take over a month of a busy shop, to their content and to the last byte, as a ratio to a bare Next page visited in the
 * same rounds; how that grows with the data; and how much script each page loads.
 *   npm run bench -- pages [--scale 1] [--spans 10000000] [--rounds 60] [--keep folder]
 * At scale 1 it seeds 1 M errors in 2,000 issues and 10 M spans, and a tenth of all three before. Seeding takes minutes:
 * `--keep` leaves the data in a folder for the next run of the day, `--scale 0.1` makes do with less, and so does `--spans 1000000`.
 */
import { type MeasuredPages, measurePages } from './lib/measure-pages.ts'
import { readNumber, readText } from './lib/options.ts'
import { report } from './lib/report.ts'
import { startBareNext } from './lib/start-bare-next.ts'

const scale = readNumber('scale', 1)
const spans = readNumber('spans', 1e7 * scale)
const rounds = readNumber('rounds', 60)
const keepIn = readText('keep')
const maxExtraScriptKB = 40

const bareNext = await startBareNext()
try {
  const small = await measure(0.1)
  printSmall(small)
  const large = await measure(1)
  printTimes(large)
  printGrowth(small, large)
  printScripts(large)
} finally {
  await bareNext.stop()
}

/** All of the data, or a part of it. */
function measure(share: number): Promise<MeasuredPages> {
  const size = { events: Math.round(1e6 * scale * share), spans: Math.round(spans * share) }
  return measurePages({ size, rounds, keepIn, bareUrl: bareNext.url })
}

/** The promises are about the whole; this is what they are compared with, printed as soon as it is known. */
function printSmall({ pages }: MeasuredPages): void {
  const words = pages.map(({ kind, lastByte }) => `${kind.name} ${ms(lastByte.p50)} / ${ms(lastByte.p95)}`)
  process.stdout.write(`a tenth of the data, last byte p50 / p95: ${words.join('; ')}\n`)
}

function printTimes({ bare, pages }: MeasuredPages): void {
  for (const { kind, firstByte, content, lastByte, documentKB } of pages) {
    report({
      name: `${kind.name}, ${kind.content ? 'stack' : 'last byte'}, p95`,
      value: kind.content ? content.p95 : lastByte.p95,
      unit: 'ms',
      limit: { name: 'bare Next page', value: bare.lastByte.p95 },
      promise: { of: 'value', is: 'at most', bound: kind.boundMs },
      note: kind.content
        ? `p50 ${ms(content.p50)} (ratio ${(content.p50 / bare.lastByte.p50).toFixed(1)}); last byte p50 ${ms(lastByte.p50)}, p95 ${ms(lastByte.p95)}; ${Math.round(documentKB)} KB`
        : `p50 ${ms(lastByte.p50)} (ratio ${(lastByte.p50 / bare.lastByte.p50).toFixed(1)}); first byte p50 ${ms(firstByte.p50)}, p95 ${ms(firstByte.p95)}; ${Math.round(documentKB)} KB`,
    })
  }
  const { firstByte, lastByte } = bare
  report({
    name: 'bare Next page, last byte, p95',
    value: lastByte.p95,
    unit: 'ms',
    promise: null,
    note: `p50 ${ms(lastByte.p50)}; first byte p50 ${ms(firstByte.p50)}, p95 ${ms(firstByte.p95)}; ${rounds} rounds`,
  })
}

/** By the middle visit: a p95 of some dozen visits says more about the minute than about the data. */
function printGrowth(small: MeasuredPages, large: MeasuredPages): void {
  for (const { kind, lastByte } of large.pages) {
    const before = small.pages.find(page => page.kind.name === kind.name)
    if (!before) continue
    report({
      name: `${kind.name}, last byte, p50`,
      value: lastByte.p50,
      unit: 'ms',
      limit: { name: 'a tenth of the data', value: before.lastByte.p50 },
      promise: kind.isLevel ? { of: 'ratio', is: 'at most', bound: 1.5 } : null,
      note: `p95 ${ms(before.lastByte.p95)} → ${ms(lastByte.p95)}`,
    })
  }
}

function printScripts({ bare, pages }: MeasuredPages): void {
  for (const { kind, scriptKB } of pages) {
    if (/30 days|again/.test(kind.name)) continue // the same page as the one before
    report({
      name: `${kind.name}, first-load script, gzip`,
      value: scriptKB,
      unit: 'KB',
      limit: { name: 'bare Next page', value: bare.scriptKB },
      promise: { of: 'value', is: 'at most', bound: bare.scriptKB + maxExtraScriptKB },
      note: `${(scriptKB - bare.scriptKB).toFixed(1)} KB more than the bare page`,
    })
  }
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}
