'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { submitCode } from '../actions.ts'

/** Works without JavaScript. One input and not six: it can be pasted into, and managers fill it in. */
export function CodeForm({ isRecovery, next }: { isRecovery: boolean; next: string }) {
  const [state, action] = useAction(submitCode, idle, { isRepeatable: true })
  const { fields } = formFaults(state)
  return (
    <CheckedForm action={action} faults={fields}>
      {state.kind === 'failed' && fields.otp === undefined ? <Notice kind="error">{state.message}</Notice> : null}
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="with" value={isRecovery ? 'recovery' : 'app'} />
      {isRecovery ? (
        <Field
          name="otp"
          label="Recovery code"
          autoComplete="off"
          spellCheck={false}
          required
          error={fields.otp}
          isFocused
        />
      ) : (
        <>
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
          <label className="row">
            <input className="check" type="checkbox" name="trust" /> Trust this browser for 30 days
          </label>
        </>
      )}
      <SubmitButton>Continue</SubmitButton>
    </CheckedForm>
  )
}
