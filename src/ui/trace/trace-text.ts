import type { TraceColumns } from './trace-columns.ts'

const base = 36
/** The numeric columns in the order of their lines. */
const numeric = ['kind', 'start', 'duration', 'op', 'name', 'lane', 'flags'] as const

/**
 * Writes columns as lines of text. JSON inside the page's JSON would escape every quote again and be parsed twice; lines of numbers
 * are half the size and fast to split.
 */
export function writeTrace(columns: TraceColumns): string {
  const { lanes, errors, logs, marks, wholeUs, strings, parent, id } = columns
  return [
    JSON.stringify({ lanes, errors, logs, marks, wholeUs }),
    strings.map(text => text.replace(/[\t\n\r]+/g, ' ')).join('\t'),
    id.join(),
    // The distance to the parent, which is mostly small.
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
    ...(JSON.parse(head) as Pick<TraceColumns, 'lanes' | 'errors' | 'logs' | 'marks' | 'wholeUs'>),
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
