'use client'
import { ConfirmButton } from '#ui/buttons.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { deletePasskey } from './passkey-actions.ts'

export type PasskeyRow = { id: string; name: string; createdAt: number; lastUsedAt: number | null }

type Props = { passkeys: PasskeyRow[]; mayRemove: boolean; now: number }

/** The toast is rendered here, because the row of a removed passkey is gone. */
export function PasskeyTable({ passkeys, mayRemove, now }: Props) {
  const [state, remove] = useAction(deletePasskey, idle)
  return (
    <>
      {passkeys.length === 0 ? (
        <p className="t2">Sign in with your fingerprint, face, PIN or security key instead of a password.</p>
      ) : (
        <DataTable label="Passkeys" columns={['Added on', 'Added', 'Last used', { label: 'Actions', isHidden: true }]}>
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <tr key={id}>
              <td className="strong">{shorten(name, 60)}</td>
              <td className="t2">
                <Ago at={createdAt} now={now} />
              </td>
              <td className="t2">{lastUsedAt === null ? 'never' : <Ago at={lastUsedAt} now={now} />}</td>
              <td>
                <span className="row-acts">
                  {mayRemove ? (
                    <ActionForm action={remove}>
                      <input type="hidden" name="passkey" value={id} />
                      <ConfirmButton
                        className="btn s danger"
                        label={`Remove passkey of ${shorten(name, 60)}`}
                        query="Remove this passkey?"
                        effect="It can no longer sign in. Your other ways to sign in stay."
                        verb="Remove passkey"
                      >
                        Remove
                      </ConfirmButton>
                    </ActionForm>
                  ) : null}
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
