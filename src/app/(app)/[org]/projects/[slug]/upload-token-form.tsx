'use client'
import { clipText } from '#lib/text.ts'
import { SubmitButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { idle } from '#web/action-state.ts'
import { SecretField } from '../../settings/secret-field.tsx'
import { submitToken } from '../../settings/tokens/actions.ts'

type Props = {
  organizationSlug: string
  /** Of the token, as the list of tokens shows it. */
  name: string
  kind: 'organization' | 'personal'
  seesPrivate: boolean
}

export function UploadTokenForm({ organizationSlug, name, kind, seesPrivate }: Props) {
  const [state, action] = useAction(submitToken, idle)
  if (state.kind === 'done' && state.secret)
    return (
      <>
        <Notice kind="ok">{state.message}</Notice>
        <SecretField label="SENTRY_AUTH_TOKEN" text={state.secret} />
      </>
    )
  return (
    <ActionForm action={action}>
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="name" value={clipText(name, 60)} />
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="scope" value="org:ci" />
      {seesPrivate ? <input type="hidden" name="private" value="on" /> : null}
      <SubmitButton>Create token</SubmitButton>
    </ActionForm>
  )
}
