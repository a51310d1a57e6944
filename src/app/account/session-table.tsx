'use client'
import { ConfirmButton, SubmitButton } from '#ui/buttons.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { endOneSession, endTheOtherSessions } from './actions.ts'

export type SessionRow = {
  id: string
  device: string
  method: string
  address: string
  createdAt: number
  seenAt: number
  isCurrent: boolean
}

/** The toasts are rendered here, because the row of an ended session is gone. */
export function SessionTable({ sessions, trusted, now }: { sessions: SessionRow[]; trusted: number; now: number }) {
  const [ended, end] = useAction(endOneSession, idle)
  const [endedAll, endAll] = useAction(endTheOtherSessions, idle)
  return (
    <>
      <DataTable
        label="Sessions"
        columns={['Device', 'Address', 'Signed in', 'With', 'Last used', { label: 'Actions', isHidden: true }]}
      >
        {sessions.map(session => (
          <tr key={session.id}>
            <td className="strong">{shorten(session.device, 60)}</td>
            <td className="mono t2">{session.address || '–'}</td>
            <td className="t2">
              <Ago at={session.createdAt} now={now} />
            </td>
            <td className="t2">{session.method}</td>
            <td className="t2">{session.isCurrent ? 'this session' : <Ago at={session.seenAt} now={now} />}</td>
            <td>
              <span className="row-acts">
                {session.isCurrent ? null : (
                  <ActionForm action={end}>
                    <input type="hidden" name="session" value={session.id} />
                    <SubmitButton look="s danger">End session</SubmitButton>
                  </ActionForm>
                )}
              </span>
            </td>
          </tr>
        ))}
      </DataTable>
      {sessions.length > 1 || trusted > 0 ? (
        <ActionForm action={endAll} className="form below">
          <div className="row">
            <ConfirmButton
              className="btn s danger"
              query="End all other sessions?"
              effect="Every other browser is signed out with its next request, and no browser is trusted any more. This browser stays signed in."
              verb="End other sessions"
            >
              End all other sessions
            </ConfirmButton>
          </div>
        </ActionForm>
      ) : null}
      <ActionToast state={ended} />
      <ActionToast state={endedAll} />
    </>
  )
}
