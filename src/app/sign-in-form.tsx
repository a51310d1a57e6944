'use client'
import { useActionState } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { submitSignIn } from './actions.ts'

/** Works without JavaScript. `next` is the page to open after signing in. */
export function SignInForm({ next }: { next: string }) {
  const [state, action] = useActionState(submitSignIn, idle)
  const { values } = formFaults(state)
  return (
    <form action={action} className="form">
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
      <input type="hidden" name="next" value={next} />
      <Field name="email" label="Email" type="email" autoComplete="username" required defaultValue={values.email} />
      <Field name="password" label="Password" type="password" autoComplete="current-password" required />
      <SubmitButton>Sign in</SubmitButton>
    </form>
  )
}
