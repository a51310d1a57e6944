import type { ActivityEntry } from '#domain/issues/list-issue-activity.ts'
import { jsonObjectOf, textOf } from '#lib/json-value.ts'

/** Activity kinds and their names in Sentry. Kinds without one keep their name. */
const types: Readonly<Record<string, string>> = {
  comment: 'note',
  resolved: 'set_resolved',
  reopened: 'set_unresolved',
  archived: 'set_ignored',
  regressed: 'set_regression',
  escalating: 'set_escalating',
  unarchived: 'set_unresolved',
  priority: 'set_priority',
}

export function serializeActivity({ id, at, actor, actorName, kind, detail }: ActivityEntry) {
  return {
    id: String(id),
    type: Object.hasOwn(types, kind) ? types[kind] : kind,
    dateCreated: new Date(at).toISOString(),
    user: actor.startsWith('user:') ? { id: actor.slice('user:'.length), name: actorName } : null,
    sentry_app: null,
    // Clients know a note by its text; whom it mentions is our own matter.
    data: kind === 'comment' ? { text: textOf(jsonObjectOf(detail).text) } : jsonObjectOf(detail),
  }
}
