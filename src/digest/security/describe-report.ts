/** The two ways browsers report a blocked resource, and whatever else they report, in the words of an event. */
import { clipText } from '#lib/clip-text.ts'
import { countOf, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import { blockedHost } from './blocked-host.ts'

export type Described = {
  kind: 'csp' | 'report'
  title: string
  fingerprint: string[]
  url: string
  tags: Record<string, string>
  /** How long the browser held the report back, in milliseconds. */
  ageMs: number
  userAgent: string
}

export function describeReport(report: JsonObject): Described {
  const legacy = objectOf(report['csp-report'])
  if (legacy !== undefined) return describeCsp(legacy, report)
  const body = objectOf(report.body)
  if (report.type === 'csp-violation' && body !== undefined) return describeCsp(fromReportingApi(body, report), report)
  return describeOther(report, body)
}

function describeCsp(csp: JsonObject, report: JsonObject): Described {
  const given = textOf(csp['effective-directive']) || textOf(csp['violated-directive'])
  const directive = given.trim().split(/\s+/)[0] || 'unknown directive'
  const documentUrl = textOf(csp['document-uri'])
  const blocked = blockedHost(textOf(csp['blocked-uri']), documentUrl)
  return {
    kind: 'csp',
    title: `${directive} blocked ${blocked}`,
    fingerprint: ['csp', directive, blocked],
    url: documentUrl,
    tags: { directive, blocked, disposition: textOf(csp.disposition) || 'enforce' },
    ageMs: countOf(report.age, maxAgeMs),
    userAgent: textOf(report.user_agent),
  }
}

/** The names that `report-uri` uses. */
const fromReportingApi = (body: JsonObject, report: JsonObject): JsonObject => ({
  'document-uri': body.documentURL ?? report.url,
  'blocked-uri': body.blockedURL,
  'effective-directive': body.effectiveDirective,
  disposition: body.disposition,
})

/** Deprecations, interventions, network errors, certificate reports: told by their type and, where they have one, their id. */
function describeOther(report: JsonObject, body: JsonObject | undefined): Described {
  const type = textOf(report.type) || (Object.keys(report)[0] ?? 'report')
  const what = textOf(body?.id) || textOf(body?.type) || textOf(body?.reason)
  const message = textOf(body?.message) || what
  return {
    kind: 'report',
    title: message === '' ? type : `${type}: ${message}`,
    fingerprint: ['report', type, what],
    url: textOf(report.url),
    tags: { report: clipText(type, 200) },
    ageMs: countOf(report.age, maxAgeMs),
    userAgent: textOf(report.user_agent),
  }
}

const maxAgeMs = 30 * 24 * 3_600_000
