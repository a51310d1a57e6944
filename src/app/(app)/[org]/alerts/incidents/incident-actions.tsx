'use client'
import { useEffect, useRef } from 'react'
import { ConfirmDialog, SubmitButton } from '#ui/buttons.tsx'
import { useCommands } from '#ui/commands/use-commands.ts'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { changeIncident } from './actions.ts'
import styles from './incident.module.css'
import { titleId } from './title-id.ts'

type Props = { organizationSlug: string; incidentId: number; isOpen: boolean; isAcknowledged: boolean }

const dialogId = 'close-incident'

/** For an open incident: acknowledge and close. Afterwards only what became of them. */
export function IncidentActions({ organizationSlug, incidentId, isOpen, isAcknowledged }: Props) {
  const [state, change] = useAction(changeIncident, idle)
  const acknowledge = useRef<HTMLFormElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  useCommands([
    ...(isAcknowledged || !isOpen
      ? []
      : [
          {
            shortcut: 'a',
            id: 'incident.acknowledge',
            label: 'Acknowledge incident',
            kind: 'change' as const,
            run: () => acknowledge.current?.requestSubmit(),
          },
        ]),
    ...(isOpen
      ? [
          {
            shortcut: 'e',
            id: 'incident.close',
            label: 'Close incident',
            kind: 'change' as const,
            run: () => dialog.current?.showPopover(),
          },
        ]
      : []),
  ])
  // The button that was pressed is gone.
  useEffect(() => {
    if (state.kind === 'done') document.getElementById(titleId)?.focus()
  }, [state])
  const target = (
    <>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="incident" value={incidentId} />
    </>
  )
  return (
    <span className={styles.actions}>
      {isAcknowledged || !isOpen ? null : (
        <ActionForm ref={acknowledge} action={change}>
          {target}
          <input type="hidden" name="change" value="acknowledge" />
          <SubmitButton>Acknowledge</SubmitButton>
        </ActionForm>
      )}
      {isOpen ? (
        <ActionForm action={change}>
          {target}
          <input type="hidden" name="change" value="close" />
          <button type="button" className="btn" popoverTarget={dialogId}>
            Close
          </button>
          <ConfirmDialog
            id={dialogId}
            dialog={dialog}
            look="primary"
            query="Close this incident?"
            effect="Channels get a message, and pagers close their alert. The next incident opens after the number was back within its limits once."
            verb="Close incident"
          />
        </ActionForm>
      ) : null}
      <ActionToast state={state} />
    </span>
  )
}
