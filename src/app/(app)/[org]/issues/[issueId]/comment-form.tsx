'use client'
import { useActionState, useRef } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { keys } from '#ui/commands/keys.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { submitComment } from './actions.ts'

export function CommentForm({ organizationSlug, issueId }: { organizationSlug: string; issueId: number }) {
  const [state, action] = useActionState(submitComment, idle)
  const { fields, values } = formFaults(state)
  const field = useRef<HTMLTextAreaElement>(null)
  const write = () => {
    field.current?.scrollIntoView({ block: 'center' })
    field.current?.focus({ preventScroll: true })
  }
  useCommands([{ ...keys.comment, id: 'issue.comment', label: 'Comment', kind: 'change', run: write }])
  return (
    <form action={action} className="comment">
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="issue" value={issueId} />
      <textarea
        ref={field}
        name="text"
        className="inp"
        rows={2}
        aria-keyshortcuts={keys.comment.shortcut}
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
