'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { changePassword, saveProfile } from './actions.ts'

export function ProfileForm({ name, email }: { name: string; email: string }) {
  const [state, action] = useAction(saveProfile, idle)
  const { fields, values } = formFaults(state)
  return (
    <CheckedForm action={action} faults={fields}>
      <Field
        name="name"
        label="Name"
        autoComplete="name"
        maxLength={100}
        required
        defaultValue={values.name ?? name}
        error={fields.name}
      />
      <Field name="email" label="Email" type="email" value={email} readOnly disabled />
      <div className="row">
        <SubmitButton look="">Save name</SubmitButton>
      </div>
      <ActionToast state={state} />
    </CheckedForm>
  )
}

/** Members who sign in elsewhere have no password yet, and a sign-in link stands for a forgotten one. */
export function PasswordForm({ isNew, email }: { isNew: boolean; email: string }) {
  const [state, action] = useAction(changePassword, idle)
  const { fields } = formFaults(state)
  return (
    <CheckedForm action={action} faults={fields}>
      {/* For password managers. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {isNew ? null : (
        <Field
          name="current"
          label="Present password"
          type="password"
          autoComplete="current-password"
          required
          error={fields.current}
        />
      )}
      <Field
        name="next-password"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={128}
        error={fields['next-password']}
        help="At least 8 characters. Three or four unrelated words are easy to remember and hard to guess."
      />
      <div className="row">
        <SubmitButton look="">{isNew ? 'Set password' : 'Change password'}</SubmitButton>
      </div>
      <ActionToast state={state} />
    </CheckedForm>
  )
}
