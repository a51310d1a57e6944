'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm, SendForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { signOut } from '../../../actions.ts'
import { joinAsNew, joinSignedIn } from './actions.ts'

type JoinProps = { token: string; as: string; organizationName: string }

/** For a person who is signed in. */
export function JoinForm({ token, as, organizationName }: JoinProps) {
  const [state, action] = useAction(joinSignedIn, idle)
  return (
    <ActionForm action={action} className="form">
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
      <input type="hidden" name="token" value={token} />
      <p>You are signed in as {as}.</p>
      <SubmitButton>{`Join ${organizationName}`}</SubmitButton>
    </ActionForm>
  )
}

export const OtherAccount = () => (
  <SendForm action={signOut}>
    <SubmitButton look="plain s">Sign out to use another account</SubmitButton>
  </SendForm>
)

const names = ['name', 'email', 'password'] as const

/** For a person without an account. An invited address can't be changed. */
export function JoinAsNewForm({ token, email, mail }: { token: string; email: string; mail: string }) {
  const [state, action] = useAction(joinAsNew, idle)
  const { fields, values } = formFaults(state)
  const first = names.find(name => fields[name] !== undefined) ?? 'name'
  const field = (name: (typeof names)[number]) => ({
    name,
    error: fields[name],
    defaultValue: values[name],
    isFocused: name === first,
  })
  return (
    <>
      <CheckedForm action={action} faults={fields}>
        {state.kind === 'failed' && Object.keys(fields).length === 0 ? (
          <Notice kind="error">{state.message}</Notice>
        ) : null}
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="mail" value={mail} />
        <Field {...field('name')} label="Your name" autoComplete="name" required maxLength={100} />
        {email === '' ? (
          <Field {...field('email')} label="Email" type="email" autoComplete="username" required maxLength={254} />
        ) : (
          <Field
            {...field('email')}
            label="Email"
            type="email"
            autoComplete="username"
            readOnly
            defaultValue={email}
            help="The address that was invited."
          />
        )}
        <Field
          {...field('password')}
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={128}
          help="At least 8 characters."
        />
        <SubmitButton>Create account and join</SubmitButton>
      </CheckedForm>
      <Link className="btn" href={`/login?next=${encodeURIComponent(`/invite/${token}`)}`}>
        Sign in with an account you have
      </Link>
    </>
  )
}
