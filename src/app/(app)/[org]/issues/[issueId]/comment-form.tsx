'use client'
import { useActionState } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { submitComment } from './actions.ts'

export function CommentForm({ organizationSlug, issueId }: { organizationSlug: string; issueId: number }) {
  const [state, action] = useActionState(submitComment, idle)
  const { fields, values } = formFaults(state)
  return (
    <form action={action} className="comment">
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="issue" value={issueId} />
      <textarea
        name="text"
        className="inp"
        rows={2}
        maxLength={10_000}
        required
        placeholder="Comment"
        aria-label="Comment"
        defaultValue={values.text}
        aria-invalid={fields.text ? true : undefined}
      />
      <SubmitButton look="s">Comment</SubmitButton>
      {state.kind === 'failed' ? (
        <p className="bad" role="alert">
          {state.message}
        </p>
      ) : null}
    </form>
  )
}
