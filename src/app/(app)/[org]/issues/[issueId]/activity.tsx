import type { ActivityEntry } from '#domain/issues/list-issue-activity.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { type JsonObject, jsonObjectOf, numberOf, textOf } from '#lib/json-value.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { Markdown } from '#ui/markdown/markdown.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { Edited } from '#ui/time/edited.tsx'
import { Moment } from '#ui/time/moment.tsx'
import { mayComment } from './action-props.ts'
import styles from './comment.module.css'
import { CommentForm, EditComment } from './comment-form.tsx'
import { DeletedComments } from './deleted-comments.tsx'
import type { LoadedIssue } from './load-issue.ts'

const deleteFormId = 'delete-comment'

/** Comments and status changes, newest first, with a comment form. */
export async function Activity({ loaded }: { loaded: LoadedIssue }) {
  const { issue, viewer } = loaded
  const activity = await loaded.activity
  const target = { organizationSlug: viewer.organization.slug, issueId: issue.id }
  return (
    <section id="activity">
      <h3>Activity</h3>
      {mayComment(viewer) ? (
        <>
          <CommentForm {...target} />
          <DeletedComments {...target} formId={deleteFormId} />
        </>
      ) : null}
      {activity.ok ? (
        <ol className="acts-list">
          {activity.value.map(entry => (
            <Entry key={entry.id} entry={entry} loaded={loaded} />
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

type EntryProps = { entry: ActivityEntry; loaded: LoadedIssue }

function Entry({ entry, loaded }: EntryProps) {
  if (entry.kind === 'comment') return <Comment entry={entry} loaded={loaded} />
  const names = new Map(loaded.assignees.map(({ id, name }) => [id, name]))
  return (
    <li>
      <span>
        <Actor entry={entry} /> {activityWords(entry, names)}
        {entry.kind === 'archived' ? <UntilDate terms={jsonObjectOf(entry.detail)} /> : null}
      </span>
      <Ago at={entry.at} now={loaded.viewer.now} suffix="" />
    </li>
  )
}

const Actor = ({ entry }: { entry: ActivityEntry }) => <b>{shorten(entry.actorName || 'Hydrant', 80)}</b>

function Comment({ entry, loaded: { viewer, issue, mentionable } }: EntryProps) {
  const { text, edited_at } = jsonObjectOf(entry.detail)
  const editedAt = numberOf(edited_at)
  const isOwn = entry.actor === `user:${viewer.user.id}` && mayComment(viewer)
  return (
    <li className={styles.comment}>
      <span>
        <Actor entry={entry} /> commented
        {editedAt === undefined ? null : <Edited at={editedAt} />}
      </span>
      <Ago at={entry.at} now={viewer.now} suffix="" />
      <div className={styles.body}>
        <Markdown text={textOf(text)} mentionable={mentionable} me={`user:${viewer.user.id}`} />
      </div>
      {isOwn ? (
        <div className={styles.tools}>
          <EditComment
            // A saved edit closes the form.
            key={editedAt ?? 0}
            organizationSlug={viewer.organization.slug}
            issueId={issue.id}
            commentId={entry.id}
            text={textOf(text)}
          />
          <button type="submit" form={deleteFormId} name="comment" value={entry.id} className="btn plain s">
            Delete<span className="sr"> comment</span>
          </button>
        </div>
      ) : null}
    </li>
  )
}

/** The sentence after the actor's name. An unknown kind is printed as it is. */
function activityWords({ kind, detail }: ActivityEntry, names: ReadonlyMap<string, string>): string {
  const terms = jsonObjectOf(detail)
  switch (kind) {
    case 'resolved':
      return `resolved this${resolvedHow(terms)}`
    case 'archived':
      return `archived this ${archivedUntil(terms)}`
    case 'assigned':
      return terms.assignee
        ? `assigned this to ${names.get(textOf(terms.assignee)) ?? 'a former member'}`
        : 'unassigned this'
    case 'priority':
      return `set the priority to ${textOf(terms.priority)}`
    case 'merged':
      return `merged ${listed(terms.issues)} into this`
    case 'unmerged':
      return `unmerged ${listed(terms.issues)} from this`
    case 'escalating':
      return escalated(terms)
    case 'regressed':
      return `marked this as regressed${terms.release ? ` in ${textOf(terms.release)}` : ''}`
    case 'mapped':
      return 'grouped events of the same frame here after a source map was uploaded'
    case 'undone':
      return `undid “${textOf(terms.kind)}”`
    case 'linked':
    case 'unlinked':
      return `${kind} the ticket ${shorten(textOf(terms.title) || textOf(terms.url), 120)}`
    default:
      return `${kind.replaceAll('_', ' ')} this`
  }
}

const listed = (names: unknown): string =>
  Array.isArray(names) && names.length > 0 ? names.map(textOf).join(', ') : 'issues'

function escalated({ events, usual }: JsonObject): string {
  const count = (value: unknown) => formatWhole(numberOf(value) ?? 0)
  return `marked this as escalating: ${count(events)} events in an hour, usually ${count(usual)}`
}

function resolvedHow({ kind, version, after }: JsonObject): string {
  if (kind === 'in_release') return ` in ${textOf(version)}`
  return kind === 'next_release' ? ` in the release after ${textOf(after)}` : ''
}

function archivedUntil({ kind, count }: JsonObject): string {
  if (kind === 'until_events') return `until ${formatWhole(numberOf(count) ?? 0)} events`
  if (kind === 'until_users') return `until ${formatWhole(numberOf(count) ?? 0)} users`
  if (kind === 'until_date') return 'until'
  return kind === 'until_escalating' ? 'until it escalates' : 'forever'
}

function UntilDate({ terms: { kind, at } }: { terms: JsonObject }) {
  const until = kind === 'until_date' ? numberOf(at) : undefined
  return until === undefined ? null : (
    <>
      {' '}
      <Moment at={until} />
    </>
  )
}
