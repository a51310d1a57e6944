'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { Field } from '#ui/field.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { submitProject } from './actions.ts'

export function ProjectForm({ organizationSlug }: { organizationSlug: string }) {
  const [state, action] = useAction(submitProject, idle)
  const { fields, values } = formFaults(state)
  return (
    <ActionForm action={action} className="form narrow">
      <input type="hidden" name="org" value={organizationSlug} />
      <Field
        name="name"
        label="Name"
        required
        maxLength={100}
        error={fields.name}
        defaultValue={values.name}
        help="One app, such as web or api."
      />
      <div className="row">
        <SubmitButton>Create project</SubmitButton>
      </div>
    </ActionForm>
  )
}
