import { date, type Field, number, span, text, uuid } from './field.ts'
import { projectFields } from './project-fields.ts'

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
  trace: uuid('trace_id'),
  span_id: span('span_id'),
  replayId: uuid('replay_id'),
  origin: text('origin'),
  'sentry.origin': text('origin'),
}
