'use client'
import { useActionState } from 'react'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { SubmitButton } from '#ui/submit-button.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { submitTeam } from './actions.ts'

export function TeamForm({ organizationSlug }: { organizationSlug: string }) {
  const [state, action] = useActionState(submitTeam, idle)
  const { fields, values } = formFaults(state)
  return (
    <form action={action} className="form mt-4 max-w-xl">
      {state.kind === 'done' ? <Notice kind="ok">{state.message}</Notice> : null}
      <input type="hidden" name="org" value={organizationSlug} />
      <div className="flex flex-wrap items-end gap-3">
        <Field
          name="team"
          label="Name of the team"
          maxLength={50}
          placeholder="checkout"
          error={fields.team}
          defaultValue={values.team}
        />
        <SubmitButton look="">Add team</SubmitButton>
      </div>
    </form>
  )
}
