import type { Finding, Part, ValuePart } from '#domain/findings/clause.ts'
import { formatAge, formatCount, formatDuration, formatRate } from '../format.ts'
import { shorten } from '../shorten.ts'

const maxName = 80

export const isName = (part: Part): boolean => typeof part !== 'string' && part.kind === 'name'

/** One part of a clause as text; the first of a sentence begins with a capital. */
export function formatPart(part: Part, isFirst = false): string {
  if (typeof part === 'string') return isFirst ? part.charAt(0).toUpperCase() + part.slice(1) : part
  if (part.kind === 'name') return shorten(part.name, maxName)
  return `${part.isApproximate ? '≈ ' : ''}${formatValue(part)}`
}

function formatValue({ kind, value }: ValuePart): string {
  switch (kind) {
    case 'times':
      return `${formatTimes(value)}×`
    case 'share':
      return formatShare(value)
    case 'rate':
      return formatRate(value)
    case 'count':
      return formatCount(value)
    case 'age':
      return value < 1_000 ? '1 s' : formatAge(value)
    case 'ms':
      return formatDuration(value * 1_000)
    case 'score':
      return value.toFixed(2)
  }
}

/** 2.4, 4, 31: a digit after the point only where it matters. */
const formatTimes = (ratio: number): string =>
  ratio < 3 ? ratio.toFixed(1).replace(/\.0$/, '') : formatCount(Math.round(ratio))

/** 100 % and 0 % only if it is all or none. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '<1 %'
  if (share < 1 && share > 0.99) return '>99 %'
  return `${Math.round(share * 100)} %`
}

/** The sentence as plain text, for titles and labels. */
export function formatFinding(finding: Finding): string {
  if (finding.length === 0) return ''
  const clauses = finding.map(({ parts }, index) =>
    parts.map((part, at) => formatPart(part, index === 0 && at === 0)).join(''),
  )
  return `${clauses.join('; ')}.`
}
