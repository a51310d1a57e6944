import { date, type Field, flag, span, text, uuid } from './field.ts'
import { projectFields, projectSlug } from './project-fields.ts'

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
