/** Tries a scrubbing rule on what is stored, without storing anything: which fields it would change, before and after. */

import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { isNoFeedbackSql } from '#lib/event-kind.ts'
import { jsonObjectOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { applyRules, applyRulesToAttributes, maxSteps, type RuleSet } from '#scrubbing/rules/apply-rules.ts'
import { compileRule, type RuleFault, type ScrubRule } from '#scrubbing/rules/compile-rule.ts'
import { createTextHash } from '#scrubbing/rules/hash-text.ts'

export type PreviewedKind = 'error' | 'span' | 'log' | 'feedback'
export type FieldPreview = { kind: PreviewedKind; at: number; path: string; before: string; after: string | null }

export type RulePreview = {
  checked: Record<PreviewedKind, number>
  /** How many of those have a field that would change. */
  changed: number
  /** Different fields first, and at most `maxShown`. */
  fields: FieldPreview[]
  moreFields: number
}

type PreviewResult = { ok: true; preview: RulePreview } | { ok: false; code: RuleFault }
type Options = { projectId: number | null; rule: ScrubRule; hashKey: string }

/** Of each kind: read completely and checked by the rule itself. */
const maxRows = 100
const maxShown = 30
const shownChars = 300
const dayMs = 24 * 3_600_000

export async function previewScrubRule(viewer: Viewer, { projectId, rule, hashKey }: Options): Promise<PreviewResult> {
  const compiled = compileRule(rule)
  if (typeof compiled === 'string') return { ok: false, code: compiled }
  const rules: RuleSet = {
    rules: [compiled],
    dropsAddresses: false,
    hash: createTextHash(hashKey, viewer.organization.id),
  }
  const telemetry = projectId === null ? viewer.telemetry : viewer.telemetry.within([projectId])
  const found: FieldPreview[] = []
  const checked: RulePreview['checked'] = { error: 0, span: 0, log: 0, feedback: 0 }
  let changed = 0
  for (const { kind, days, query } of sources) {
    const params = { since: viewer.now - days * dayMs, limit: maxRows }
    const rows = await telemetry.query({ query, params, schema: row })
    checked[kind] = rows.length
    for (const { at, data, attributes } of rows) {
      const before = found.length
      const onChange = (path: string, from: string, to: string | null) => {
        found.push({ kind, at, path, before: excerpt(from), after: to === null ? null : excerpt(to) })
      }
      const options = { rules, budget: { left: maxSteps }, onChange }
      applyRulesToAttributes({ ...attributes }, false, options)
      applyRules(jsonObjectOf(data), options)
      if (found.length > before) changed += 1
    }
  }
  const fields = distinctFirst(found)
  return {
    ok: true,
    preview: { checked, changed, fields: fields.slice(0, maxShown), moreFields: Math.max(0, fields.length - maxShown) },
  }
}

const row = z.object({ at: z.coerce.number(), data: z.string(), attributes: z.record(z.string(), z.string()) })

const recent = (table: string, data: string, attributes: string, also = '1'): string => `
  SELECT toUnixTimestamp64Milli(${table}.timestamp) AS at, ${data} AS data, ${attributes} AS attributes
  FROM ${table}
  WHERE {scope} AND ${table}.timestamp >= fromUnixTimestamp64Milli({since:Int64}) AND ${also}
  ORDER BY ${table}.timestamp DESC
  LIMIT {limit:UInt32}`

const noMap = "CAST(map(), 'Map(String, String)')"

const sources: readonly { kind: PreviewedKind; days: number; query: string }[] = [
  { kind: 'error', days: 14, query: recent('events', 'events.data', noMap, isNoFeedbackSql) },
  {
    kind: 'span',
    days: 1,
    query: recent(
      'spans',
      "concat('{\"name\":', toJSONString(spans.name), '}')",
      "CAST(spans.attributes, 'Map(String, String)')",
    ),
  },
  {
    kind: 'log',
    days: 1,
    query: recent(
      'logs',
      "concat('{\"body\":', toJSONString(logs.body), '}')",
      "CAST(logs.attributes, 'Map(String, String)')",
    ),
  },
  { kind: 'feedback', days: 30, query: recent('feedback', 'feedback.data', noMap) },
]

const excerpt = (text: string): string => (text.length > shownChars ? `${clipText(text, shownChars)}…` : text)

/** One example of each field, then further ones: a hundred equal lines would hide the others. */
function distinctFirst(found: readonly FieldPreview[]): FieldPreview[] {
  const seen = new Set<string>()
  const [first, rest]: [FieldPreview[], FieldPreview[]] = [[], []]
  for (const field of found) {
    const name = `${field.kind} ${field.path}`
    if (seen.has(name)) rest.push(field)
    else first.push(field)
    seen.add(name)
  }
  return [...first, ...rest]
}
