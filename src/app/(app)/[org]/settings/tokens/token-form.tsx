'use client'
import { useActionState } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { SecretField } from '../secret-field.tsx'
import { submitToken } from './actions.ts'

type Props = { organizationSlug: string; scopes: { name: string; description: string; isUsual: boolean }[] }

export function TokenForm({ organizationSlug, scopes }: Props) {
  const [state, action] = useActionState(submitToken, idle)
  const { fields, values } = formFaults(state)
  return (
    <form action={action} className="form wide">
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
      <div className="row">
        <SubmitButton>Create token</SubmitButton>
      </div>
    </form>
  )
}
