'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { requestLink } from '../actions.ts'

export function MailForm() {
  const [state, action] = useAction(requestLink, idle)
  const { fields, values } = formFaults(state)
  if (state.kind === 'done') return <Notice kind="ok">{state.message}</Notice>
  return (
    <CheckedForm action={action} faults={fields}>
      {state.kind === 'failed' && fields.email === undefined ? <Notice kind="error">{state.message}</Notice> : null}
      <Field
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        error={fields.email}
        defaultValue={values.email}
        isFocused
      />
      <SubmitButton>Send link</SubmitButton>
    </CheckedForm>
  )
}
