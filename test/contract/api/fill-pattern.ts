import type { Other } from '../scope/other-organization.ts'

/** The path of a route, with what the organization `other` has in place of its parameters. */
export function fillPattern(pattern: string, other: Other, change: Record<string, string> = {}): string {
  const params: Record<string, string> = {
    ...{ org: 'other', project: 'app', issue: String(other.issue.id), event: other.event.event_id, key: 'environment' },
    ...{ note: String(noteId), shortId: other.issue.shortId, version: other.release.version, trace: other.traceId },
    ...{
      item: other.span.id,
      replay: other.replay.replayId,
      rule: String(metricRuleId),
      detector: String(metricRuleId),
    },
    ...{ attachment: attachmentName(other) },
    ...change,
  }
  return pattern.replace(/\[(\w+)\]/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`There is no value for [${name}] of ${pattern}`)
    return encodeURIComponent(value)
  })
}

export const metricRuleId = 190
export const noteId = 1

export const asUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Of the attachment of the event. */
export const attachmentName = ({ rows, event }: Other): string => {
  const found = rows.attachments?.find(row => row.event_id === asUuid(event.event_id))
  if (found === undefined) throw new Error('The event has no attachment')
  return found.blob.split('/').at(-1) ?? ''
}
