'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import styles from './account.module.css'
import { endOneTrust } from './actions.ts'

export type BrowserRow = { id: string; device: string; address: string; usedAt: number }

/** The toast is rendered here, because the row is gone. */
export function BrowserTable({ browsers, now }: { browsers: BrowserRow[]; now: number }) {
  const [state, end] = useAction(endOneTrust, idle)
  return (
    <>
      {browsers.length === 0 ? (
        <p className="t2">Every sign-in with your password is asked for the code of your app.</p>
      ) : (
        <DataTable label="Trusted browsers" columns={['Device', 'Last used', { label: 'Actions', isHidden: true }]}>
          {browsers.map(({ id, device, address, usedAt }) => (
            <tr key={id}>
              <td>
                <div className={styles.browser}>
                  <div className="strong">{shorten(device, 60)}</div>
                  {address === '' ? null : <div className="mono t3">{address}</div>}
                </div>
              </td>
              <td className="t2">
                <Ago at={usedAt} now={now} />
              </td>
              <td>
                <span className="row-acts">
                  <ActionForm action={end}>
                    <input type="hidden" name="browser" value={id} />
                    <SubmitButton look="s danger">End trust</SubmitButton>
                  </ActionForm>
                </span>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <ActionToast state={state} />
    </>
  )
}
