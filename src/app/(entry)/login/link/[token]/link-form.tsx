'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { submitLink } from '../../actions.ts'

/** Two forms, because one who only wants to sign in must not be asked for a password. */
export function LinkForm({ token }: { token: string }) {
  const [state, action] = useAction(submitLink, idle, { isRepeatable: true })
  const [reset, setNew] = useAction(submitLink, idle, { isRepeatable: true })
  const { fields } = formFaults(reset)
  return (
    <>
      <ActionForm action={action} className="form">
        {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
        <input type="hidden" name="token" value={token} />
        <SubmitButton>Sign in</SubmitButton>
      </ActionForm>
      <details open={reset.kind === 'failed'}>
        <summary>Choose a new password</summary>
        <CheckedForm action={setNew} faults={fields}>
          {reset.kind === 'failed' && fields.password === undefined ? (
            <Notice kind="error">{reset.message}</Notice>
          ) : null}
          <input type="hidden" name="token" value={token} />
          <Field
            name="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            help="At least 8 characters. Other sessions of your account end."
            required
            error={fields.password}
          />
          <SubmitButton look="">Set password and sign in</SubmitButton>
        </CheckedForm>
      </details>
    </>
  )
}
