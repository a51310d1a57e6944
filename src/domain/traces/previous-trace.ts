import { isObject, jsonOf } from '#lib/json-value.ts'

export type TraceLink = { traceId: string; spanId: string }

/**
 * The trace of the same visitor before this one, as the SDK names it: in the links of a span, or in an attribute as
 * `<trace>-<span>-<sampled>`. Null if it was not sampled: there is no trace to link to.
 */
export function previousTrace({ attribute, links }: { attribute: string; links: string }): TraceLink | null {
  const [, traceId = '', spanId = ''] = /^([0-9a-f]{32})-([0-9a-f]{16})-1$/.exec(attribute) ?? []
  if (traceId !== '') return { traceId, spanId }
  const list = links === '' ? null : jsonOf(links)
  for (const link of Array.isArray(list) ? list : []) {
    const found = isObject(link) ? readLink(link) : null
    if (found) return found
  }
  return null
}

function readLink({ trace_id, span_id, sampled, attributes }: Record<string, unknown>): TraceLink | null {
  const type = isObject(attributes) ? attributes['sentry.link.type'] : undefined
  const isPrevious = (isObject(type) ? type.value : type) === 'previous_trace'
  if (!isPrevious || sampled === false) return null
  if (typeof trace_id !== 'string' || !/^[0-9a-f]{32}$/.test(trace_id)) return null
  return typeof span_id === 'string' && /^[0-9a-f]{16}$/.test(span_id) ? { traceId: trace_id, spanId: span_id } : null
}
