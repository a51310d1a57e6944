'use client'
import { ConfirmButton, SubmitButton } from '#ui/buttons.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten } from '#ui/shorten.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { SecretField } from '../secret-field.tsx'
import { submitInvitation, withdrawInvitation } from './actions.ts'
import styles from './members.module.css'

export type OpenInvitation = {
  id: string
  email: string
  role: string
  invitedBy: string
  expires: string
  /** Null if the viewer may not give this role: the link would make them one. */
  link: string | null
}

export function InvitationTable({
  invitations,
  organizationSlug,
}: {
  invitations: OpenInvitation[]
  organizationSlug: string
}) {
  const [state, revoke] = useAction(withdrawInvitation, idle)
  return (
    <>
      {invitations.length === 0 ? (
        <p className="t2">No open invitations.</p>
      ) : (
        <DataTable
          label="Invitations"
          columns={['For', 'Role', 'Link', 'Invited by', 'Expires', { label: 'Actions', isHidden: true }]}
        >
          {invitations.map(invitation => (
            <tr key={invitation.id}>
              <td className={invitation.email ? 'strong' : 't2'}>{invitation.email || 'Anyone with the link'}</td>
              <td>{invitation.role}</td>
              <td className={`mono t2 cut ${styles.link}`}>{invitation.link ?? 'for owners only'}</td>
              <td className="t2">{invitation.invitedBy}</td>
              <td className="t2">{invitation.expires}</td>
              <td>
                <ActionForm action={revoke} className={styles.acts}>
                  <input type="hidden" name="org" value={organizationSlug} />
                  <input type="hidden" name="invitation" value={invitation.id} />
                  {invitation.link === null ? null : (
                    <>
                      <CopyButton text={invitation.link} label="Copy link" />
                      <ConfirmButton
                        className="btn s danger"
                        label={`Revoke the invitation of ${shorten(invitation.email, 60) || 'anyone'}`}
                        query="Revoke this invitation?"
                        effect="Its link no longer works. You can invite the person again."
                        verb="Revoke invitation"
                      >
                        Revoke
                      </ConfirmButton>
                    </>
                  )}
                </ActionForm>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <ActionToast state={state} />
    </>
  )
}

type FormProps = {
  organizationSlug: string
  /** Those that the viewer may give, with what they can do. */
  roles: { name: string; note: string }[]
  teams: { id: number; slug: string }[]
}

export function InvitationForm({ organizationSlug, roles, teams }: FormProps) {
  const [state, action] = useAction(submitInvitation, idle)
  const { fields, values } = formFaults(state)
  return (
    <ActionForm action={action} className="form wide below">
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      {state.kind === 'done' && state.secret ? <SecretField label="Invitation link" text={state.secret} /> : null}
      <input type="hidden" name="org" value={organizationSlug} />
      <div className="form-line">
        <Field
          name="email"
          label="Email, optional"
          type="email"
          maxLength={254}
          placeholder="anyone with the link"
          autoComplete="off"
          error={fields.email}
          defaultValue={values.email}
        />
        <div className="field">
          <label htmlFor="role">Role</label>
          <select id="role" name="role" className="inp" defaultValue={values.role ?? 'member'}>
            {roles.map(({ name, note }) => (
              <option key={name} value={name}>
                {name}: {note}
              </option>
            ))}
          </select>
        </div>
      </div>
      {teams.length > 0 ? (
        <fieldset className="field choices">
          <legend>Teams to join</legend>
          <div className={styles.teams}>
            {teams.map(({ id, slug }) => (
              <label key={id} className="choice">
                <input className="check" type="checkbox" name="team" value={id} />
                <span className="mono">#{slug}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ) : null}
      <div className="row">
        <SubmitButton look="">Invite</SubmitButton>
      </div>
    </ActionForm>
  )
}
