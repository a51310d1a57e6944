'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { requireSecondFactor } from './two-factor-actions.ts'

type Props = {
  organizationSlug: string
  requirement: 'off' | 'on' | { date: string }
  mayChange: boolean
}

const tokens = 'personal tokens of members without one work for another 7 days.'

/** Whether members need a second factor. */
export function TwoFactorForm({ organizationSlug, requirement, mayChange }: Props) {
  const [state, action] = useAction(requireSecondFactor, idle)
  const sentence =
    requirement === 'off'
      ? `Members may sign in with a password alone. Once a second factor is required, ${tokens}`
      : requirement === 'on'
        ? `Members need a passkey, an authenticator app, or single sign-on that confirms one. Since then, ${tokens}`
        : `Members need a second factor from ${requirement.date}. From then on, ${tokens}`
  return (
    <ActionForm action={action} className="form">
      <p className="t2">{sentence}</p>
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
      <input type="hidden" name="org" value={organizationSlug} />
      {mayChange ? (
        <div className="row">
          {requirement === 'off' ? (
            <>
              <button type="submit" className="btn s" name="from" value="week">
                Require in 7 days
              </button>
              <button type="submit" className="btn s" name="from" value="now">
                Require now
              </button>
            </>
          ) : (
            <>
              <input type="hidden" name="from" value="off" />
              <SubmitButton look="s">Make optional</SubmitButton>
            </>
          )}
        </div>
      ) : null}
      {state.kind === 'done' ? <ActionToast state={state} /> : null}
    </ActionForm>
  )
}
