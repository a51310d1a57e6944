/** One line per promise: what was measured, against which limit of the same run, what was promised, and whether it was kept. */
import { engineBuild } from './engine-build.ts'

export type Figure = {
  name: string
  value: number
  unit: string
  /** What the same machine can do at most, measured in the same run. */
  limit?: { name: string; value: number }
  /** Null for a figure that is only printed. With `of: 'ratio'` the promise is about value / limit. */
  promise: { of: 'value' | 'ratio'; is: 'at least' | 'at most'; bound: number } | null
  note?: string
}

/** Prints it, and makes the run end with 1 if the promise is missed. */
export function report(figure: Figure): void {
  const { name, value, unit, limit, promise, note } = figure
  const ratio = limit === undefined ? null : value / limit.value
  const parts = [`${name.padEnd(44)} ${`${round(value)} ${unit}`.padStart(18)}`]
  if (limit && ratio !== null)
    parts.push(`limit ${round(limit.value)} ${unit} (${limit.name})`, `ratio ${ratio.toFixed(2)}`)
  if (promise) {
    const judged = promise.of === 'ratio' ? ratio : value
    const isKept = judged !== null && (promise.is === 'at least' ? judged >= promise.bound : judged <= promise.bound)
    parts.push(
      `promised ${promise.of === 'ratio' ? 'ratio ' : ''}${promise.is === 'at least' ? '≥' : '≤'} ${round(promise.bound)}`,
    )
    parts.push(isKept ? 'kept' : `MISSED${onWasm()}`)
    if (!isKept) process.exitCode = 1
  }
  if (note) parts.push(note)
  process.stdout.write(`${parts.join('  ')}\n`)
}

/** The promises are made for the native engine; the portable one is a fallback, and its misses are shown all the same. */
const onWasm = (): string => (engineBuild() === 'wasm' ? ' (on the portable wasm engine)' : '')

function round(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}
