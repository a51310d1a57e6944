'use client'
import { ConfirmButton, NoDefaultButton, SubmitButton } from '#ui/buttons.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { sendTest, switchOrDelete } from '../actions.ts'
import styles from '../channels.module.css'
import { ShownSecret } from '../shown-secret.tsx'

type Props = {
  organizationSlug: string
  channel: { id: number; name: string; isOn: boolean }
  canRotate: boolean
}

export function ChannelActions({ organizationSlug, channel, canRotate }: Props) {
  const [tested, test] = useAction(sendTest, idle)
  const [changed, change] = useAction(switchOrDelete, idle)
  const target = (
    <>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="channel" value={channel.id} />
    </>
  )
  return (
    <>
      <div className={`${styles.acts} ${styles.below}`}>
        <ActionForm action={test}>
          {target}
          <SubmitButton look="">Send a test</SubmitButton>
        </ActionForm>
        <ActionForm action={change} className={styles.acts}>
          <NoDefaultButton />
          {target}
          <button type="submit" name="change" value={channel.isOn ? 'off' : 'on'} className="btn">
            {channel.isOn ? 'Switch off' : 'Switch on'}
          </button>
          {canRotate ? (
            <ConfirmButton
              className="btn"
              query={`Replace the signing secret of ${channel.name}?`}
              effect="A webhook signs with both secrets for a day, so that the receiver can be changed meanwhile. Others use the new one at once."
              verb="Replace secret"
              name="change"
              value="rotate"
              look="primary"
            >
              Replace secret
            </ConfirmButton>
          ) : null}
          <ConfirmButton
            className="btn danger"
            query={`Delete channel ${channel.name}?`}
            effect="Rules that use it no longer send anything there. Its messages and its log are deleted."
            verb="Delete channel"
            name="change"
            value="delete"
          >
            Delete
          </ConfirmButton>
        </ActionForm>
      </div>
      {changed.kind === 'done' && changed.secret ? <ShownSecret text={changed.secret} /> : null}
      <ActionToast state={tested} />
      <ActionToast state={changed} />
    </>
  )
}
