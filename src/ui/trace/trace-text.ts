/**
 * Columns as plain lines. As JSON inside the page's own JSON, every quote would be written three times over and every comma be
 * parsed twice; lines of numbers are half the bytes, and split in no time.
 */
import type { TraceColumns } from './trace-columns.ts'

const base = 36
/** In the order of their lines. */
const numeric = ['kind', 'start', 'duration', 'op', 'name', 'lane', 'flags'] as const

export function writeTrace(columns: TraceColumns): string {
  const { lanes, errors, logs, wholeUs, strings, parent, id } = columns
  return [
    JSON.stringify({ lanes, errors, logs, wholeUs }),
    strings.map(text => text.replace(/[\t\n\r]+/g, ' ')).join('\t'),
    id.join(),
    // How far up the parent stands: mostly one row or a few.
    parent.map((up, row) => (up < 0 ? '' : (row - up).toString(base))).join(),
    ...numeric.map(name => columns[name].map(value => (value === 0 ? '' : value.toString(base))).join()),
  ].join('\n')
}

export function readTrace(text: string): TraceColumns {
  const [head = '{}', strings = '', id = '', parent = '', ...rest] = text.split('\n')
  const rows = id.split(',')
  const count = text === '' ? 0 : rows.length
  const ups = readNumbers(parent, count)
  const numbers = numeric.map((name, line) => [name, readNumbers(rest[line] ?? '', count)] as const)
  return {
    ...(JSON.parse(head) as Pick<TraceColumns, 'lanes' | 'errors' | 'logs' | 'wholeUs'>),
    ...(Object.fromEntries(numbers) as Pick<TraceColumns, (typeof numeric)[number]>),
    strings: strings.split('\t'),
    id: rows,
    parent: ups.map((up, row) => (up === 0 ? -1 : row - up)),
  }
}

function readNumbers(line: string, count: number): number[] {
  const numbers = line.split(',').map(text => (text === '' ? 0 : Number.parseInt(text, base)))
  return numbers.length === count ? numbers : new Array<number>(count).fill(0)
}
