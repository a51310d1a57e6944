'use client'
import { useEffect, useRef } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { keys } from '#ui/commands/keys.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { submitIncidentComment } from './actions.ts'

export function IncidentComment({ organizationSlug, incidentId }: { organizationSlug: string; incidentId: number }) {
  const [state, action] = useAction(submitIncidentComment, idle)
  const { fields, values } = formFaults(state)
  const field = useRef<HTMLTextAreaElement>(null)
  const write = () => {
    field.current?.scrollIntoView({ block: 'center' })
    field.current?.focus({ preventScroll: true })
  }
  useCommands([{ ...keys.comment, id: 'incident.comment', label: 'Comment', kind: 'change', run: write }])
  const fault = fields.text
  useEffect(() => {
    if (fault !== undefined) field.current?.focus()
  }, [fault])
  return (
    <ActionForm action={action} className="comment">
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="incident" value={incidentId} />
      <textarea
        ref={field}
        aria-keyshortcuts={keys.comment.shortcut}
        name="text"
        className="inp"
        rows={3}
        maxLength={10_000}
        required
        placeholder="Findings or actions, with Markdown"
        aria-label="Comment"
        defaultValue={values.text}
        aria-invalid={fault === undefined ? undefined : true}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }
        }}
      />
      <SubmitButton look="s">Comment</SubmitButton>
      {state.kind === 'failed' ? (
        <p className="bad" role="alert">
          {state.message}
        </p>
      ) : null}
    </ActionForm>
  )
}
