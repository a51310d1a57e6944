import { listIgnored } from '../../ignored-params.ts'

const maxChars = 200
export const auditRanges = [
  { days: 1, label: 'Last 24 hours' },
  { days: 30, label: 'Last 30 days' },
  { days: 365, label: 'Last year' },
  { days: 0, label: 'All time' },
] as const
const usualDays = 30

/** `subjects` are the nouns of the actions in the log. Unknown values are ignored, and named by the page. */
export function readAuditParams(raw: Record<string, unknown>, subjects: readonly string[]) {
  const textOf = (name: string): string => {
    const value = raw[name]
    return typeof value === 'string' && value.length <= maxChars ? value.replaceAll('\0', '') : ''
  }
  const days = auditRanges.find(range => String(range.days) === raw.days)?.days ?? usualDays
  const subject = subjects.find(each => each === raw.subject) ?? ''
  const before = /^[1-9]\d{0,14}$/.test(textOf('before')) ? Number(textOf('before')) : undefined
  const verify = raw.verify === '1' ? '1' : undefined
  return {
    ...{ q: textOf('q'), subject, days, before, isVerified: verify !== undefined },
    ignored: listIgnored(raw, { q: textOf('q'), subject, days, before, verify }),
  }
}
