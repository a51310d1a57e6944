/** The report inside an event that a browser sent on its own. */
import { type JsonObject, objectOf } from './json-value.ts'

type SecurityReport = { isCsp: boolean; fields: JsonObject }

const wrappers = ['expect-ct-report', 'expect-staple-report'] as const

/** Null for any other event. Fields keep the names in which they were sent. */
export function securityReportOf(event: JsonObject): SecurityReport | null {
  const report = objectOf(event.report)
  const csp = objectOf(report?.['csp-report']) ?? objectOf(event.csp)
  if (csp !== undefined) return { isCsp: true, fields: csp }
  if (report === undefined) return null
  const body = objectOf(report.body)
  if (body !== undefined) return { isCsp: report.type === 'csp-violation', fields: body }
  const wrapped = wrappers.map(name => objectOf(report[name])).find(each => each !== undefined)
  return { isCsp: false, fields: wrapped ?? report }
}
