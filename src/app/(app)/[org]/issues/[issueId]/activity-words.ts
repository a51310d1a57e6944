import { isObject, type JsonObject, numberOf, textOf } from '#lib/json-value.ts'
import type { ActivityEntry } from '#queries/list-issue-activity.ts'

type Words = { verb: string; text?: string }

/** What an entry of the activity says after the name of who did it. A kind that is not known here is said as it is. */
export function activityWords({ kind, detail }: ActivityEntry, names: ReadonlyMap<string, string>): Words {
  const terms = parse(detail)
  switch (kind) {
    case 'comment':
      return { verb: 'wrote', text: textOf(terms.text) }
    case 'resolved':
      return { verb: `resolved this${resolvedHow(terms)}` }
    case 'archived':
      return { verb: `archived this ${archivedUntil(terms)}` }
    case 'assigned':
      return {
        verb: terms.assignee
          ? `assigned this to ${names.get(textOf(terms.assignee)) ?? 'somebody'}`
          : 'took the assignment back',
      }
    case 'priority':
      return { verb: `set the priority to ${textOf(terms.priority)}` }
    case 'merged':
      return { verb: `merged ${listed(terms.issues)} into this` }
    case 'unmerged':
      return { verb: `took ${listed(terms.issues)} out of this` }
    case 'escalating':
      return { verb: escalated(terms) }
    case 'regressed':
      return { verb: `saw it come back${terms.release ? ` in ${textOf(terms.release)}` : ''}` }
    case 'mapped':
      return { verb: 'read a source map that came late, and put events of one place together here' }
    case 'undone':
      return { verb: `undid “${textOf(terms.kind)}”` }
    default:
      return { verb: `${kind.replaceAll('_', ' ')} this` }
  }
}

const listed = (names: unknown): string =>
  Array.isArray(names) && names.length > 0 ? names.map(textOf).join(', ') : 'issues'

function escalated({ events, usual }: JsonObject): string {
  const count = (value: unknown) => (numberOf(value) ?? 0).toLocaleString('en-US')
  return `marked this escalating: ${count(events)} in an hour, where ${count(usual)} is usual`
}

function resolvedHow({ kind, version, after }: JsonObject): string {
  if (kind === 'in_release') return ` in ${textOf(version)}`
  return kind === 'next_release' ? ` in the release after ${textOf(after)}` : ''
}

function archivedUntil({ kind, count, at }: JsonObject): string {
  if (kind === 'until_events') return `until ${(numberOf(count) ?? 0).toLocaleString('en-US')} events`
  if (kind === 'until_users') return `until ${(numberOf(count) ?? 0).toLocaleString('en-US')} users`
  if (kind === 'until_date') return `until ${new Date(numberOf(at) ?? 0).toISOString().slice(0, 10)}`
  return kind === 'until_escalating' ? 'until it escalates' : 'for ever'
}

function parse(detail: string): JsonObject {
  try {
    const value: unknown = JSON.parse(detail)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
