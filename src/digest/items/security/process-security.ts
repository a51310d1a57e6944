/** Reports that browsers send on their own (CSP, Reporting API) become events. */
import { countOf, isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import { limits } from '../../limits.ts'
import { derivedId } from '../../normalize/ids.ts'
import { Notes } from '../../notes.ts'
import { readJsonItem } from '../../read/read-json.ts'
import { discard, type RecordContext } from '../../record-context.ts'
import { normalizeEvent } from '../event/normalize-event.ts'
import { addEvent, cleanEvent } from '../event/process-event.ts'

export function processSecurity(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const reports = Array.isArray(payload.value) ? payload.value : [payload.value]
  const mayHaveShapes = hasShapes(payload.text)
  let unusable = 0
  reports.forEach((report, ordinal) => {
    if (isObject(report))
      addReport(report, item, derivedId(context.recordId, itemIndex, ordinal), mayHaveShapes, context)
    else unusable++
  })
  if (unusable > 0 || reports.length === 0) discard(context, item, 'invalid_payload', unusable)
}

function addReport(
  report: JsonObject,
  item: EnvelopeItem,
  eventId: string,
  mayHaveShapes: boolean,
  context: RecordContext,
): void {
  const { kind, title, fingerprint, url, tags, ageMs, userAgent } = readReport(report)
  const notes = new Notes()
  const raw: JsonObject = {
    timestamp: (context.receivedAt - context.clockShiftMs - ageMs) / 1e3,
    platform: 'javascript',
    level: 'error',
    logger: kind,
    logentry: { message: title },
    fingerprint,
    tags,
    report,
    environment: textOf(item.headers.sentry_environment) || undefined,
    release: textOf(item.headers.sentry_release) || undefined,
    request: { url, headers: { 'User-Agent': userAgent || context.userAgent } },
  }
  const event = normalizeEvent(raw, eventId, context, notes)
  cleanEvent(event, mayHaveShapes, notes)
  addEvent(event, kind, notes, context)
}

type ReportFields = {
  kind: 'csp' | 'report'
  title: string
  fingerprint: string[]
  url: string
  tags: Record<string, string>
  /** How long the browser kept the report before sending it. */
  ageMs: number
  userAgent: string
}

function readReport(report: JsonObject): ReportFields {
  const legacy = objectOf(report['csp-report'])
  if (legacy !== undefined) return readCspReport(legacy, report)
  const body = objectOf(report.body)
  if (report.type === 'csp-violation' && body !== undefined)
    return readCspReport(fromReportingApi(body, report), report)
  return readOtherReport(report, body)
}

function readCspReport(csp: JsonObject, report: JsonObject): ReportFields {
  const given = textOf(csp['effective-directive']) || textOf(csp['violated-directive'])
  const directive = given.trim().split(/\s+/)[0] || 'unknown directive'
  const documentUrl = textOf(csp['document-uri'])
  const blocked = blockedHost(textOf(csp['blocked-uri']), documentUrl)
  return {
    kind: 'csp',
    title: `${directive} blocked ${blocked}`,
    fingerprint: ['csp', directive, blocked],
    url: documentUrl,
    tags: {
      directive,
      blocked,
      disposition: textOf(csp.disposition) || 'enforce',
      'blocked-uri': clipText(textOf(csp['blocked-uri']), limits.tagValueChars),
      'source-file': clipText(textOf(csp['source-file']), limits.tagValueChars),
    },
    ageMs: countOf(report.age, maxAgeMs),
    userAgent: textOf(report.user_agent),
  }
}

/** Translates a report of the Reporting API to the names of `report-uri`. */
const fromReportingApi = (body: JsonObject, report: JsonObject): JsonObject => ({
  'document-uri': body.documentURL ?? report.url,
  'blocked-uri': body.blockedURL,
  'effective-directive': body.effectiveDirective,
  'source-file': body.sourceFile,
  disposition: body.disposition,
})

/** Deprecations, interventions, network errors, certificate reports: grouped by type and id. */
function readOtherReport(report: JsonObject, body: JsonObject | undefined): ReportFields {
  const certificate = readCertificateReport(report)
  const type = certificate?.type ?? (textOf(report.type) || (Object.keys(report)[0] ?? 'report'))
  const what = certificate?.host ?? (textOf(body?.id) || textOf(body?.type) || textOf(body?.reason))
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

/** Expect-CT, Expect-Staple and key pinning: the host says whose certificate is wrong. */
function readCertificateReport(report: JsonObject): { type: string; host: string } | null {
  for (const type of ['expect-ct-report', 'expect-staple-report']) {
    const found = objectOf(report[type])
    if (found !== undefined) return { type, host: textOf(found.hostname) }
  }
  return report['known-pins'] === undefined ? null : { type: 'key-pinning', host: textOf(report.hostname) }
}

const maxAgeMs = 30 * 24 * 3_600_000

/** The blocked host, or the browser's word for resources without one: coarse enough to group by. */
function blockedHost(blockedUri: string, documentUri: string): string {
  if (blockedUri === '' || blockedUri === 'self') return blockedUri === '' ? 'inline code' : 'own origin'
  if (blockedUri === 'inline' || blockedUri === 'eval' || blockedUri === 'wasm-eval') return `${blockedUri} code`
  const host = hostOf(blockedUri)
  if (host === '') return clipText(blockedUri.replace(/:.*$/s, ''), 200)
  return host === hostOf(documentUri) ? 'own origin' : host
}

function hostOf(uri: string): string {
  try {
    return new URL(uri).host
  } catch {
    return ''
  }
}
