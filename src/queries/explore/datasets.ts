import { errorFields } from './error-fields.ts'
import type { Fault, Field } from './field.ts'
import { logFields } from './log-fields.ts'
import { spanFields } from './span-fields.ts'

export type Dataset = {
  name: 'errors' | 'spans' | 'transactions' | 'logs'
  table: 'events' | 'spans' | 'logs'
  fields: Readonly<Record<string, Field>>
  /** Where free text is looked for. */
  textColumn: string
  /** What a question is about besides its own conditions. */
  only: string
  /** What failure means here. */
  failed: string
  /** What `p95()` without an argument is about. */
  measure: string | null
}

const errors: Dataset = {
  name: 'errors',
  table: 'events',
  fields: errorFields,
  textColumn: 'title',
  only: '',
  failed: 'NOT is_handled',
  measure: null,
}
const spans: Dataset = {
  name: 'spans',
  table: 'spans',
  fields: spanFields,
  textColumn: 'name',
  only: 'NOT is_sdk_transport',
  failed: "status = 'error'",
  measure: 'span.duration',
}
const transactions: Dataset = {
  ...spans,
  name: 'transactions',
  // Of a segment, these are the same.
  fields: { ...spanFields, title: spanFields.transaction ?? { type: 'string', sql: 'segment_name' } },
  only: `${spans.only} AND is_segment`,
}
const logs: Dataset = {
  name: 'logs',
  table: 'logs',
  fields: logFields,
  textColumn: 'body',
  only: '',
  failed: "level IN ('error', 'fatal')",
  measure: null,
}

/** Old tools send old names. */
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
  const message = `There is no dataset ${JSON.stringify(name)}. Known are errors, spans, transactions and logs.`
  return found ?? { ok: false, code: 'wrong_dataset', message }
}
