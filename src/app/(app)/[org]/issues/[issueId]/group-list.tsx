'use client'
import { formatWhole } from '#lib/format-whole.ts'
import { Section } from '#ui/page-parts.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { Ago } from '#ui/time/ago.tsx'
import { idle } from '#web/action-state.ts'
import { undoIssueChanges } from '../actions.ts'
import { ChangeToast } from '../change-toast.tsx'
import { unmergeGroup } from './actions.ts'

type Group = {
  /** Grouping version and hash. */
  id: string
  /** Of its newest event, where the issue's title says nothing of it. */
  title: string
  eventCount: number
  lastSeen: number
  /** The issue it was merged from; empty for an original group. */
  home: string
}
type Props = {
  organizationSlug: string
  issueId: number
  mayUnmerge: boolean
  now: number
  isCut: boolean
  groups: Group[]
}

/**
 * An issue has several groups after a merge or after a change of the grouping version. Each can be unmerged. The toast is rendered
 * outside of the section, so that Undo is still there when only one group is left.
 */
export function GroupList({ organizationSlug, issueId, mayUnmerge, now, isCut, groups }: Props) {
  const [state, action, isPending] = useAction(unmergeGroup, idle)
  const [undone, undo] = useAction(undoIssueChanges, idle)
  return (
    <>
      {groups.length > 1 ? (
        <Section
          id="groups"
          title="Groups in this issue"
          note={`${isCut ? `the ${groups.length} largest, ` : ''}counted together; you can unmerge each one`}
        >
          <ActionForm action={action}>
            <input type="hidden" name="org" value={organizationSlug} />
            <input type="hidden" name="issue" value={issueId} />
            <ul className="teams">
              {groups.map(({ id, title, eventCount, lastSeen, home }) => (
                <li key={id}>
                  {title ? <span className="cut">{title}</span> : <span className="mono">{nameOf(id)}</span>}
                  <span>{eventCount === 1 ? '1 event' : `${formatWhole(eventCount)} events`}</span>
                  <span className="t3">
                    last <Ago at={lastSeen} now={now} />
                  </span>
                  <span className="t2 cut">{home ? `merged from ${home}` : title ? '' : 'original group'}</span>
                  {mayUnmerge ? (
                    <span className="acts">
                      <button type="submit" name="group" value={id} className="btn s">
                        Unmerge<span className="sr"> {title || nameOf(id)}</span>
                      </button>
                    </span>
                  ) : null}
                </li>
              ))}
            </ul>
          </ActionForm>
        </Section>
      ) : null}
      <ChangeToast {...{ state, undone, undo, isPending, organizationSlug }} />
    </>
  )
}

const nameOf = (id: string): string => id.replace(/^\d+:/, '').slice(0, 12)
