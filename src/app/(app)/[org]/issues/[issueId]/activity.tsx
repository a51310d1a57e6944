import type { ActivityEntry } from '#domain/issues/list-issue-activity.ts'
import { isObject, type JsonObject, numberOf, textOf } from '#lib/json-value.ts'
import { Ago } from '#ui/ago.tsx'
import { FailedPanel } from '#ui/blank.tsx'
import { shorten } from '#ui/shorten.ts'
import { mayComment } from './action-props.ts'
import { CommentForm } from './comment-form.tsx'
import type { LoadedIssue } from './load-issue.ts'

/** Comments and status changes, newest first, with a comment form. */
export function Activity({ loaded: { activity, issue, assignees, viewer } }: { loaded: LoadedIssue }) {
  const names = new Map(assignees.map(({ id, name }) => [id, name]))
  return (
    <section id="activity">
      <h3>Activity</h3>
      {mayComment(viewer) ? <CommentForm organizationSlug={viewer.organization.slug} issueId={issue.id} /> : null}
      {activity.ok ? (
        <ol className="acts-list">
          {activity.value.map(entry => (
            <Entry key={entry.id} entry={entry} names={names} now={viewer.now} />
          ))}
          <li>
            <span>First event</span>
            <Ago at={issue.firstSeen} now={viewer.now} suffix="" />
          </li>
        </ol>
      ) : (
        <FailedPanel what="Activity" reference={activity.reference} />
      )}
    </section>
  )
}

type EntryProps = { entry: ActivityEntry; names: ReadonlyMap<string, string>; now: number }

function Entry({ entry, names, now }: EntryProps) {
  const { verb, text } = activityWords(entry, names)
  return (
    <li className={text ? 'said' : ''}>
      <span>
        <b>{shorten(entry.actorName || 'Hydrant', 80)}</b> {verb}
        {text ? <q>{shorten(text, 2_000)}</q> : null}
      </span>
      <Ago at={entry.at} now={now} suffix="" />
    </li>
  )
}

type Words = { verb: string; text?: string }

/** The sentence after the actor's name. An unknown kind is printed as it is. */
function activityWords({ kind, detail }: ActivityEntry, names: ReadonlyMap<string, string>): Words {
  const terms = parse(detail)
  switch (kind) {
    case 'comment':
      return { verb: 'commented', text: textOf(terms.text) }
    case 'resolved':
      return { verb: `resolved this${resolvedHow(terms)}` }
    case 'archived':
      return { verb: `archived this ${archivedUntil(terms)}` }
    case 'assigned':
      return {
        verb: terms.assignee
          ? `assigned this to ${names.get(textOf(terms.assignee)) ?? 'a former member'}`
          : 'unassigned this',
      }
    case 'priority':
      return { verb: `set the priority to ${textOf(terms.priority)}` }
    case 'merged':
      return { verb: `merged ${listed(terms.issues)} into this` }
    case 'unmerged':
      return { verb: `unmerged ${listed(terms.issues)} from this` }
    case 'escalating':
      return { verb: escalated(terms) }
    case 'regressed':
      return { verb: `marked this as regressed${terms.release ? ` in ${textOf(terms.release)}` : ''}` }
    case 'mapped':
      return { verb: 'grouped events of the same frame here after a source map was uploaded' }
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
  return `marked this as escalating: ${count(events)} events in an hour, usually ${count(usual)}`
}

function resolvedHow({ kind, version, after }: JsonObject): string {
  if (kind === 'in_release') return ` in ${textOf(version)}`
  return kind === 'next_release' ? ` in the release after ${textOf(after)}` : ''
}

function archivedUntil({ kind, count, at }: JsonObject): string {
  if (kind === 'until_events') return `until ${(numberOf(count) ?? 0).toLocaleString('en-US')} events`
  if (kind === 'until_users') return `until ${(numberOf(count) ?? 0).toLocaleString('en-US')} users`
  if (kind === 'until_date') return `until ${new Date(numberOf(at) ?? 0).toISOString().slice(0, 10)}`
  return kind === 'until_escalating' ? 'until it escalates' : 'forever'
}

function parse(detail: string): JsonObject {
  try {
    const value: unknown = JSON.parse(detail)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
