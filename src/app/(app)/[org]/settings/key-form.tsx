'use client'
import { useActionState } from 'react'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { SubmitButton } from '#ui/submit-button.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { submitKey } from './actions.ts'

type Props = { projects: readonly { id: number; slug: string }[]; organizationSlug: string }

export function KeyForm({ projects, organizationSlug }: Props) {
  const [state, action] = useActionState(submitKey, idle)
  const { fields, values } = formFaults(state)
  return (
    <form action={action} className="form mt-4 max-w-xl">
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      <input type="hidden" name="org" value={organizationSlug} />
      <div className="flex flex-wrap items-end gap-3">
        <div className="field">
          <label htmlFor="project">Project</label>
          <select id="project" name="project" className="inp" defaultValue={values.project}>
            {projects.map(({ id, slug }) => (
              <option key={id} value={id}>
                {slug}
              </option>
            ))}
          </select>
        </div>
        <Field
          name="label"
          label="Label"
          maxLength={60}
          placeholder="Staging"
          error={fields.label}
          defaultValue={values.label}
        />
        <SubmitButton look="">Add key</SubmitButton>
      </div>
    </form>
  )
}
