'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { SecretField } from '../secret-field.tsx'
import { submitToken } from './actions.ts'

type Props = {
  organizationSlug: string
  scopes: { name: string; description: string; isUsual: boolean }[]
  /** Whether the viewer may create tokens of the organization. */
  mayShare: boolean
}

export function TokenForm({ organizationSlug, scopes, mayShare }: Props) {
  const [state, action] = useAction(submitToken, idle)
  const { fields, values } = formFaults(state)
  return (
    <ActionForm action={action} className="form wide">
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      {state.kind === 'done' && state.secret ? <SecretField label="New token" text={state.secret} /> : null}
      <input type="hidden" name="org" value={organizationSlug} />
      <Field
        name="name"
        label="Name"
        required
        maxLength={60}
        placeholder="GitHub Actions"
        error={fields.name}
        defaultValue={values.name}
        help="Where the token is used."
      />
      {mayShare ? <KindChoice /> : <input type="hidden" name="kind" value="personal" />}
      {mayShare ? null : <p className="t2">A personal token: it sees and does at most what you may.</p>}
      <fieldset className="field choices" aria-describedby={fields.scope ? 'scope-note' : undefined}>
        <legend>Scopes</legend>
        {scopes.map(({ name, description, isUsual }) => (
          <label key={name} className="choice">
            <input className="check" type="checkbox" name="scope" value={name} defaultChecked={isUsual} />
            <span>
              <span className="mono">{name}</span> <span className="t2">{description}</span>
            </span>
          </label>
        ))}
        {fields.scope ? (
          <p className="help bad" id="scope-note" role="alert">
            {fields.scope}
          </p>
        ) : null}
      </fieldset>
      <div className="field">
        <label htmlFor="days">Expires</label>
        <select id="days" name="days" className="inp" defaultValue={values.days ?? '0'}>
          <option value="0">never</option>
          <option value="7">in 7 days</option>
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
        </select>
      </div>
      <div className="row">
        <SubmitButton>Create token</SubmitButton>
      </div>
    </ActionForm>
  )
}

/** Who the token acts for. */
function KindChoice() {
  return (
    <fieldset className="field choices">
      <legend>Kind</legend>
      <label className="choice">
        <input type="radio" name="kind" value="organization" defaultChecked />
        <span>
          Organization <span className="t2">for builds and services; stays when you leave</span>
        </span>
      </label>
      <label className="choice">
        <input type="radio" name="kind" value="personal" />
        <span>
          Personal <span className="t2">sees and does at most what you may; ends when you leave</span>
        </span>
      </label>
      <label className="choice">
        <input className="check" type="checkbox" name="private" value="on" />
        <span>
          Private projects <span className="t2">an organization token sees them only with this</span>
        </span>
      </label>
    </fieldset>
  )
}
