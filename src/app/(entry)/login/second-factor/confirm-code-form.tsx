'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { confirmCode } from '../../../account/two-factor-actions.ts'

/** For members who are signed in, have an authenticator app and have not shown it in this session. */
export function ConfirmCodeForm({ isRecovery, next }: { isRecovery: boolean; next: string }) {
  const [state, action] = useAction(confirmCode, idle)
  const { fields } = formFaults(state)
  const common = { name: 'otp', required: true, error: fields.otp, isFocused: true } as const
  return (
    <CheckedForm action={action} faults={fields}>
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="with" value={isRecovery ? 'recovery' : 'app'} />
      {isRecovery ? (
        <Field {...common} label="Recovery code" autoComplete="off" spellCheck={false} help="Each works once." />
      ) : (
        <Field {...common} label="Code" autoComplete="one-time-code" inputMode="numeric" maxLength={10} />
      )}
      <SubmitButton>Continue</SubmitButton>
    </CheckedForm>
  )
}
