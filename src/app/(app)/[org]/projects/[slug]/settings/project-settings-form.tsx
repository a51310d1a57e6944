'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { removeProject, saveProject } from '../../actions.ts'

type Target = { organizationSlug: string; projectId: number }

export function ProjectSettingsForm({ name, slug, ...target }: Target & { name: string; slug: string }) {
  const [state, action] = useAction(saveProject, idle)
  const { fields, values } = formFaults(state)
  return (
    <ActionForm action={action} className="form wide below">
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      <TargetFields {...target} />
      <div className="form-line">
        <Field
          name="name"
          label="Name"
          maxLength={100}
          required
          error={fields.name}
          defaultValue={values.name ?? name}
        />
        <Field
          name="slug"
          label="Slug, used in addresses and issue IDs"
          maxLength={50}
          required
          error={fields.slug}
          defaultValue={values.slug ?? slug}
        />
        <SubmitButton look="">Save</SubmitButton>
      </div>
      <p className="t3">Addresses and issue IDs with the old slug keep working. The DSN does not change.</p>
    </ActionForm>
  )
}

/** The slug is typed, because a click is too easy for what can't be undone after the grace period. */
export function DeleteProjectForm({ slug, graceDays, ...target }: Target & { slug: string; graceDays: number }) {
  const [state, action] = useAction(removeProject, idle)
  const { fields, values } = formFaults(state)
  return (
    <ActionForm action={action} className="form wide">
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
      <TargetFields {...target} />
      <p>
        Deleting this project hides its issues, traces and releases, and everything sent to it is rejected. You can
        restore it for {graceDays} days; then all its data is removed for good.
      </p>
      <div className="form-line">
        <Field
          name="confirmation"
          label={`Type ${slug} to confirm`}
          autoComplete="off"
          required
          error={fields.confirmation}
          defaultValue={values.confirmation}
        />
        <SubmitButton look="s danger">Delete project</SubmitButton>
      </div>
    </ActionForm>
  )
}

const TargetFields = ({ organizationSlug, projectId }: Target) => (
  <>
    <input type="hidden" name="org" value={organizationSlug} />
    <input type="hidden" name="project" value={projectId} />
  </>
)
