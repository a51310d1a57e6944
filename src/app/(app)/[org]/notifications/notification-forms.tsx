'use client'
import type { NotificationChoice } from '#domain/alerts/notifications.ts'
import { SubmitButton } from '#ui/buttons.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { chooseNotifications, markRead } from './actions.ts'
import styles from './notifications.module.css'

export function ReadButton({ organizationSlug, upTo }: { organizationSlug: string; upTo: number }) {
  const [state, action] = useAction(markRead, idle)
  return (
    <ActionForm action={action}>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="upTo" value={upTo} />
      <SubmitButton look="">Mark all as read</SubmitButton>
      <ActionToast state={state} />
    </ActionForm>
  )
}

type Props = { organizationSlug: string; choices: NotificationChoice[] }

export function NotificationChoices({ organizationSlug, choices }: Props) {
  const [state, action] = useAction(chooseNotifications, idle)
  const box = (name: 'inApp' | 'email', { type, label, ...choice }: NotificationChoice) => (
    <input
      className="check"
      type="checkbox"
      name={name}
      value={type}
      defaultChecked={choice[name]}
      aria-label={`${label}: ${name === 'inApp' ? 'bell' : 'email'}`}
    />
  )
  return (
    <ActionForm action={action} className="form narrow" key={JSON.stringify(choices)}>
      <input type="hidden" name="org" value={organizationSlug} />
      <DataTable label="What you hear of" columns={['About', 'Bell', 'Email']} look={styles.settings ?? ''}>
        {choices.map(choice => (
          <tr key={choice.type}>
            <td>{choice.label}</td>
            <td>{box('inApp', choice)}</td>
            <td>{box('email', choice)}</td>
          </tr>
        ))}
      </DataTable>
      <div className="row">
        <SubmitButton look="">Save settings</SubmitButton>
      </div>
      <ActionToast state={state} />
    </ActionForm>
  )
}
