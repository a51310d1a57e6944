import { countedOnce, notMiddleware, notPrefetch } from '#react/counted-requests.ts'
import { fieldKey } from '#search/search-fields.ts'
import {
  date,
  duration,
  type Fault,
  type Field,
  flag,
  number,
  projectFields,
  projectSlug,
  type Reference,
  span,
  text,
  uuid,
} from './field.ts'
import { issueWordFault, type Listed, listedErrors, listedLogs, listedSpans } from './listed-fields.ts'

const first = (...columns: string[]) =>
  columns.reduceRight((rest, column) => `if(${column} != '', ${column}, ${rest})`, "''")
const named = (name: string, version: string) => `trim(concat(${name}, ' ', ${version}))`
const ofIssue = (field: Field): Field => ({ ...field, isOfIssue: true })

/** An error's title is `Type: value`. */
const value = `if(type != '' AND startsWith(title, concat(type, ': ')), substring(title, length(type) + 3), title)`

export const errorFields: Readonly<Record<string, Field>> = {
  ...projectFields,
  id: uuid('event_id'),
  event_id: uuid('event_id'),
  timestamp: date('timestamp'),
  received: date('received_at'),
  'timestamp.to_hour': date('toDateTime64(toStartOfHour(timestamp), 3)'),
  'timestamp.to_day': date('toDateTime64(toStartOfDay(timestamp), 3)'),
  title: text('title'),
  message: { ...text('title'), isLoose: true },
  culprit: text('culprit'),
  location: text('culprit'),
  transaction: text('route_raw'),
  level: text('level'),
  platform: text('platform'),
  'platform.name': text('platform'),
  dist: text('dist'),
  /** All of an event's tags, as JSON. */
  tags: text('toJSONString(tags)'),
  url: text('url'),
  'http.url': text('url'),
  trace: uuid('trace_id'),
  span_id: span('span_id'),
  'trace.span': span('span_id'),
  replayId: uuid('replay_id'),
  'user.email': text('user_email'),
  'user.username': text('user_name'),
  'user.ip': text('user_ip'),
  user: text(first('user_id', 'user_email', 'user_name', 'user_ip')),
  'user.display': text(first('user_email', 'user_name', 'user_id', 'user_ip')),
  'browser.name': text('browser_name'),
  'browser.version': text('browser_version'),
  browser: text(named('browser_name', 'browser_version')),
  'os.name': text('os_name'),
  'os.version': text('os_version'),
  os: text(named('os_name', 'os_version')),
  device: text('device'),
  'device.family': text('device'),
  'event.type': text(`if(type = '', 'default', 'error')`),
  'error.type': text('type'),
  'error.value': text(value),
  'error.mechanism': text('mechanism'),
  mechanism: text('mechanism'),
  'error.handled': flag('is_handled'),
  'error.unhandled': flag('NOT is_handled'),
  issue: ofIssue(text(`if(issue_id = 0, '', concat(upper(${projectSlug}), '-', toString(number)))`)),
  'issue.id': ofIssue({ type: 'number', sql: 'issue_id' }),
}

export const logFields: Readonly<Record<string, Field>> = {
  ...projectFields,
  id: uuid('log_id'),
  'sentry.item_id': uuid('log_id'),
  timestamp: date('timestamp'),
  'tags[sentry.timestamp_precise,number]': number('toUnixTimestamp64Micro(timestamp) * 1000'),
  timestamp_precise: number('toUnixTimestamp64Micro(timestamp) * 1000'),
  received: date('received_at'),
  message: text('body'),
  'log.body': text('body'),
  severity: text('level'),
  'log.severity_text': text('level'),
  level: text('level'),
  severity_number: number('severity'),
  'log.severity_number': number('severity'),
  'sentry.message.template': text('template'),
  'message.template': text('template'),
  pattern: span('pattern'),
  trace: uuid('trace_id'),
  span_id: span('span_id'),
  replayId: uuid('replay_id'),
  origin: text('origin'),
  'sentry.origin': text('origin'),
}

const durationMs = 'duration_us / 1000'
const isPrefetch = flag('is_prefetch')

export const spanFields: Readonly<Record<string, Field>> = {
  ...projectFields,
  id: span('span_id'),
  span_id: span('span_id'),
  parent_span: span('parent_span_id'),
  'segment.id': span('segment_id'),
  'sentry.segment.id': span('segment_id'),
  'transaction.span_id': span('segment_id'),
  trace: uuid('trace_id'),
  timestamp: date('timestamp'),
  received: date('received_at'),
  'precise.start_ts': number('toUnixTimestamp64Micro(timestamp) / 1000000'),
  'precise.finish_ts': number('(toUnixTimestamp64Micro(timestamp) + duration_us) / 1000000'),
  description: text('name'),
  'span.description': text('name'),
  'span.name': text('name'),
  'span.duration': duration(durationMs),
  'transaction.duration': duration(durationMs),
  'span.op': text('op'),
  'sentry.op': text('op'),
  'transaction.op': text('op'),
  'span.origin': text('origin'),
  'sentry.origin': text('origin'),
  'span.status': text('status'),
  'transaction.status': text('status'),
  'span.status_code': number('status_code'),
  transaction: text('segment_name'),
  'segment.name': text('segment_name'),
  'sentry.segment.name': text('segment_name'),
  is_transaction: flag('is_segment'),
  is_segment: flag('is_segment'),
  is_prefetch: isPrefetch,
  'http.request.prefetch': isPrefetch,
  'http.method': text('method'),
  'http.request.method': text('method'),
  'http.status_code': number('status_code'),
  'http.response.status_code': number('status_code'),
  url: text('url'),
  'url.full': text('url'),
  'http.route': text('route_raw'),
  platform: text('platform'),
  dist: text('dist'),
  'sentry.dist': text('dist'),
  replayId: uuid('replay_id'),
  'replay.id': uuid('replay_id'),
  'browser.name': text('browser_name'),
  'os.name': text('os_name'),
  device: text('device'),
  'device.family': text('device'),
}

export type Dataset = {
  name: 'errors' | 'spans' | 'transactions' | 'logs'
  table: 'events' | 'spans' | 'logs'
  fields: Readonly<Record<string, Field>>
  /** The names that lists use for its fields, and how lists search them. */
  listed: Listed
  /** A condition that every query has. */
  only: string
  /** The condition for a failure. */
  failed: string
  /** The default argument of `p95()`. */
  measure: string | null
}

const errors: Dataset = {
  name: 'errors',
  table: 'events',
  fields: errorFields,
  listed: listedErrors,
  only: '',
  failed: 'NOT is_handled',
  measure: null,
}
const spans: Dataset = {
  name: 'spans',
  table: 'spans',
  fields: spanFields,
  listed: listedSpans,
  only: 'NOT is_sdk_transport',
  failed: "status = 'error'",
  measure: 'span.duration',
}
const transactions: Dataset = {
  ...spans,
  name: 'transactions',
  // For a segment, title and transaction are the same.
  fields: { ...spanFields, title: spanFields.transaction ?? { type: 'string', sql: 'segment_name' } },
  // As on the traces page.
  only: `${countedOnce} AND ${notMiddleware} AND ${notPrefetch} AND is_segment`,
}
const logs: Dataset = {
  name: 'logs',
  table: 'logs',
  fields: logFields,
  listed: listedLogs,
  only: '',
  failed: "level IN ('error', 'fatal')",
  measure: null,
}

/** Including the names that older tools send. */
const byName: Readonly<Record<string, Dataset>> = {
  errors,
  events: errors,
  discover: errors,
  'error-events': errors,
  spans,
  span: spans,
  spansIndexed: spans,
  spansMetrics: spans,
  transactions,
  'transaction-like': transactions,
  metricsEnhanced: transactions,
  logs,
  log: logs,
  ourlogs: logs,
}

export function findDataset(name: string): Dataset | Fault {
  const found = Object.hasOwn(byName, name) ? byName[name] : undefined
  const message = `Unknown dataset ${JSON.stringify(name)}. Use errors, spans, transactions or logs.`
  return found ?? { ok: false, code: 'wrong_dataset', message }
}

/** Prefixes of dataset fields: an unknown one is a mistake, not a tag. */
const reserved = /^(?:span|issue|transaction|stack|timestamp|precise|trace|project|error|event)\./

/** Any other word is a tag or attribute, also explicitly as `tags[name]` or `tags[name,number]`. */
export function findField(name: string, dataset: Dataset): Reference | Fault {
  const field = fieldOf(name, dataset)
  if (field) return { kind: 'field', name, field }
  const [, tag] = /^tags\[([^\],]{1,200})(?:,\s*(?:string|number|boolean))?\]$/.exec(name) ?? []
  if (tag) return { kind: 'tag', name, key: tag }
  const fault = dataset.table === 'events' ? issueWordFault(name, dataset.listed) : null
  if (fault) return wrong(fault)
  if (reserved.test(name)) return wrong(`${name} is not a field of ${dataset.name}.${suggest(name, dataset)}`)
  if (!/^[A-Za-z0-9_][\w./:@-]{0,199}$/.test(name))
    return wrong(`${JSON.stringify(name)} is not a field. A field is one word, like ${example(dataset)}.`)
  return { kind: 'tag', name, key: name }
}

/** By its own name, or by that of lists and their aliases. */
function fieldOf(name: string, { fields, listed }: Dataset): Field | undefined {
  if (Object.hasOwn(fields, name)) return fields[name]
  if (name.startsWith('tags[')) return undefined
  const key = fieldKey(name, listed.table)
  if (Object.hasOwn(listed.fields, key)) return listed.fields[key]
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

const wrong = (message: string): Fault => ({ ok: false, code: 'wrong_field', message })
const example = ({ table }: Dataset) => (table === 'spans' ? 'span.op' : table === 'logs' ? 'severity' : 'error.type')

/** Fields with the same prefix, as a hint. */
function suggest(name: string, { fields }: Dataset): string {
  const family = name.slice(0, name.indexOf('.') + 1)
  const known = Object.keys(fields).filter(each => each.startsWith(family))
  return known.length === 0 ? '' : ` Use one of ${known.join(', ')}.`
}
