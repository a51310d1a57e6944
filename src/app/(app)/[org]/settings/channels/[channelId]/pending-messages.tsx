'use client'
import type { listPendingMessages } from '#domain/channels/list-channels.ts'
import { SubmitButton } from '#ui/buttons.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatLeft } from '#ui/format.ts'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { Ago } from '#ui/time/ago.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { resend } from '../actions.ts'
import styles from '../channels.module.css'

type Props = {
  messages: (Omit<Awaited<ReturnType<typeof listPendingMessages>>[number], 'message' | 'title'> & { title: string })[]
  organizationSlug: string
  channelId: number
  now: number
}

/** Dead messages can be sent again, one by one or all of them. */
export function PendingMessages({ messages, organizationSlug, channelId, now }: Props) {
  const [state, action] = useAction(resend, idle)
  const target = (message: string) => (
    <>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="channel" value={channelId} />
      <input type="hidden" name="message" value={message} />
    </>
  )
  const dead = messages.filter(message => message.state === 'dead')
  return (
    <>
      <DataTable
        label="Not delivered"
        columns={['Message', 'Created', numeric('Attempts'), 'Next', 'Why', { label: 'Actions', isHidden: true }]}
      >
        {messages.map(message => (
          <tr key={message.id}>
            <td>
              <div className={styles.title}>{message.title}</div>
            </td>
            <td className="t2">
              <Ago at={message.createdAt} now={now} />
            </td>
            <td className="num">{message.attempts}</td>
            <td className="t2">
              {message.state === 'dead'
                ? 'given up'
                : message.notBefore <= now
                  ? 'its turn'
                  : `in ${formatLeft(message.notBefore - now)}`}
            </td>
            <td>
              <div className={styles.answer} title={message.lastError}>
                {message.lastError}
              </div>
            </td>
            <td>
              {message.state === 'dead' ? (
                <ActionForm action={action} className="row-acts">
                  {target(message.id)}
                  <SubmitButton look="s">
                    Send again<span className="sr"> {message.title || message.id}</span>
                  </SubmitButton>
                </ActionForm>
              ) : null}
            </td>
          </tr>
        ))}
      </DataTable>
      {dead.length > 1 ? (
        <ActionForm action={action} className="form-line">
          {target('')}
          <SubmitButton look="">Send all again</SubmitButton>
        </ActionForm>
      ) : null}
      <ActionToast state={state} />
    </>
  )
}
