'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { submitSignIn } from './actions.ts'

/** Works without JavaScript. `next` is the page to open after signing in. */
export function SignInForm({ next }: { next: string }) {
  const [state, action] = useAction(submitSignIn, idle, { isRepeatable: true })
  const { fields, values } = formFaults(state)
  const isPasswordOnly = fields.password !== undefined && fields.email === undefined
  return (
    <CheckedForm action={action} faults={fields}>
      {state.kind === 'failed' && Object.keys(fields).length === 0 ? (
        <Notice kind="error">{state.message}</Notice>
      ) : null}
      <input type="hidden" name="next" value={next} />
      <Field
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        error={fields.email}
        defaultValue={values.email}
        isFocused={!isPasswordOnly}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        error={fields.password}
        isFocused={isPasswordOnly}
      />
      <SubmitButton>Sign in</SubmitButton>
    </CheckedForm>
  )
}
