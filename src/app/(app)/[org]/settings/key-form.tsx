'use client'
import { ConfirmButton, SubmitButton } from '#ui/buttons.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { submitKey, switchKey } from './actions.ts'

type Props = { projects: readonly { id: number; slug: string }[]; organizationSlug: string }

export function KeyForm({ projects, organizationSlug }: Props) {
  const [state, action] = useAction(submitKey, idle)
  const { fields, values } = formFaults(state)
  return (
    <ActionForm action={action} className="form wide below">
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      <input type="hidden" name="org" value={organizationSlug} />
      <div className="form-line">
        {projects.length === 1 ? (
          <input type="hidden" name="project" value={projects[0]?.id} />
        ) : (
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
        )}
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
    </ActionForm>
  )
}

type KeySwitchProps = {
  keyId: number
  projectId: number
  /** For the dialog: "Default (web)". */
  name: string
  isActive: boolean
  organizationSlug: string
}

/** Disabling asks for confirmation, because apps lose events from then on. */
export function KeySwitch({ name, isActive, ...ids }: KeySwitchProps) {
  const [state, action] = useAction(switchKey, idle)
  return (
    <>
      <ActionForm action={action} className="inline-form">
        <Target {...ids} to={isActive ? 'off' : 'on'} />
        {isActive ? (
          <ConfirmButton
            className="btn s danger"
            query={`Disable key ${name}?`}
            effect="Events sent with it are rejected until you enable it again."
            verb="Disable key"
          >
            Disable
          </ConfirmButton>
        ) : (
          <SubmitButton look="s">Enable</SubmitButton>
        )}
      </ActionForm>
      <ActionToast state={state}>
        {state.kind === 'done' && !isActive ? (
          <ActionForm action={action}>
            <Target {...ids} to="on" />
            <button type="submit" className="btn plain s">
              Undo
            </button>
          </ActionForm>
        ) : null}
      </ActionToast>
    </>
  )
}

function Target({
  organizationSlug,
  projectId,
  keyId,
  to,
}: Omit<KeySwitchProps, 'name' | 'isActive'> & { to: 'on' | 'off' }) {
  return (
    <>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="project" value={projectId} />
      <input type="hidden" name="key" value={keyId} />
      <input type="hidden" name="to" value={to} />
    </>
  )
}
