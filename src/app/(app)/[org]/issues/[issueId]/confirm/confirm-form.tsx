'use client'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { idle } from '#web/action-state.ts'
import type { Change } from '../../change.ts'
import { changeIssue } from '../actions.ts'

type Props = { organizationSlug: string; issueId: number; changes: Change[] }

export function ConfirmForm({ organizationSlug, issueId, changes }: Props) {
  const [state, action] = useAction(changeIssue, idle)
  const href = `/${organizationSlug}/issues/${issueId}`
  return (
    <ActionForm action={action} className="form narrow">
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="issue" value={issueId} />
      {state.kind === 'done'
        ? null
        : changes.map(({ change, label, isOn }, index) => (
            <button
              key={change}
              type="submit"
              className={index === 0 ? 'btn primary' : 'btn'}
              name="change"
              value={change}
              disabled={isOn}
            >
              {label}
            </button>
          ))}
      <Link className="btn plain" href={href}>
        Open the issue
      </Link>
    </ActionForm>
  )
}
