import type { ActivityEntry } from '#queries/list-issue-activity.ts'
import { Ago } from '#ui/ago.tsx'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { shorten } from '#ui/shorten.ts'
import { activityWords } from './activity-words.ts'
import { CommentForm } from './comment-form.tsx'
import type { LoadedIssue } from './load-issue.ts'
import { mayComment } from './may-write.ts'

/** Who did what and when, newest first, and a place to add a word. */
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
        {text ? <q className="block">{shorten(text, 2_000)}</q> : null}
      </span>
      <Ago at={entry.at} now={now} suffix="" />
    </li>
  )
}
