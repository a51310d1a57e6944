'use client'
import type { Receipt } from '#domain/privacy/erasures.ts'
import { ConfirmButton, NoDefaultButton } from '#ui/buttons.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { Field } from '#ui/field.tsx'
import { formatCount } from '#ui/format.ts'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { Ago } from '#ui/time/ago.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { eraseUserData } from './actions.ts'
import styles from './privacy.module.css'

const identifiers = [
  { name: 'id', label: 'User ID' },
  { name: 'email', label: 'Email' },
  { name: 'username', label: 'Username' },
  { name: 'ip', label: 'IP address' },
] as const

export function EraseForm({ organizationSlug }: { organizationSlug: string }) {
  const [state, action] = useAction(eraseUserData, idle)
  const { fields, values } = formFaults(state)
  return (
    <ActionForm action={action} className="form wide">
      <NoDefaultButton />
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      <input type="hidden" name="org" value={organizationSlug} />
      <p className="t2">
        Deletes errors, traces, logs, metrics, sessions, feedback, replays and attachments that have one of these. Free
        text is not searched, and counts of affected users stay.
      </p>
      <div className={styles.identifiers}>
        {identifiers.map(({ name, label }) => (
          <Field
            key={name}
            name={name}
            label={label}
            maxLength={1_024}
            autoComplete="off"
            spellCheck={false}
            error={fields[name]}
            defaultValue={values[name]}
          />
        ))}
      </div>
      <div className="row">
        <ConfirmButton
          className="btn danger"
          query="Delete this user’s data?"
          effect="It is deleted from all projects and can’t be restored. A receipt says what was deleted."
          verb="Delete data"
        >
          Delete data…
        </ConfirmButton>
      </div>
    </ActionForm>
  )
}

const states = { queued: 'waiting', running: 'running', done: 'done' } as const

export function ReceiptTable({
  receipts,
  organizationSlug,
  now,
}: {
  receipts: Receipt[]
  organizationSlug: string
  now: number
}) {
  if (receipts.length === 0) return null
  return (
    <div className={styles.receipts}>
      <DataTable
        label="Receipts"
        columns={['Requested', 'User named by', 'State', numeric('Deleted'), { label: 'Receipt', isHidden: true }]}
      >
        {receipts.map(({ id, requestedAt, user, state, deleted, lastError }) => (
          <tr key={id}>
            <td className="t2">
              <Ago at={requestedAt} now={now} />
            </td>
            <td className="t2">{Object.keys(user).join(', ')}</td>
            <td>{lastError === '' ? states[state] : 'failed, trying again'}</td>
            <td className="num">{formatCount(Object.values(deleted).reduce((sum, count) => sum + count, 0))}</td>
            <td>
              <span className="row-acts">
                <a className="btn s" href={`/${organizationSlug}/settings/privacy/erasures/${id}`} download>
                  Receipt (JSON)
                </a>
              </span>
            </td>
          </tr>
        ))}
      </DataTable>
    </div>
  )
}
