'use client'
import { useActionState } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { confirmCode } from '../../../account/two-factor-actions.ts'

/** For members who are signed in without a second factor and have an authenticator app. */
export function ConfirmCodeForm({ next }: { next: string }) {
  const [state, action] = useActionState(confirmCode, idle)
  const { fields } = formFaults(state)
  return (
    <CheckedForm action={action} faults={fields}>
      <input type="hidden" name="next" value={next} />
      <Field
        name="otp"
        label="Code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
        error={fields.otp}
        isFocused
      />
      <SubmitButton>Continue</SubmitButton>
    </CheckedForm>
  )
}
