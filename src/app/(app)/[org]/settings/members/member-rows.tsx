'use client'
import { ConfirmButton } from '#ui/buttons.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { Menu } from '#ui/menu.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten } from '#ui/shorten.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { changeMember } from './actions.ts'
import styles from './members.module.css'

export type MemberRow = {
  id: string
  name: string
  email: string
  role: string
  isMe: boolean
  teams: string[]
  joined: string
  /** The roles that the viewer may give; empty if this member's role can't be changed by the viewer. */
  roles: string[]
  mayRemove: boolean
  mayReceive: boolean
  /** Tokens of the organization that this member created. */
  tokens: number
}
type Props = { members: MemberRow[]; organizationSlug: string; organizationName: string }

/** The toast is rendered here, because the row of a removed member is gone. */
export function MemberRows({ members, organizationSlug, organizationName }: Props) {
  const [state, change] = useAction(changeMember, idle)
  return (
    <>
      <DataTable
        label="Members and their roles"
        columns={['Name', 'Role', 'Teams', 'Joined', { label: 'Actions', isHidden: true }]}
      >
        {members.map(member => (
          <tr key={member.id}>
            <td>
              <div className={styles.person}>
                <div>
                  <span className="strong">{shorten(member.name, 60)}</span>
                  {member.isMe ? <span className="t3"> you</span> : null}
                  <p>{shorten(member.email, 80)}</p>
                </div>
              </div>
            </td>
            <td>{member.roles.length === 0 ? member.role : <RoleMenu {...{ member, organizationSlug, change }} />}</td>
            <td className="t2">{member.teams.map(slug => `#${slug}`).join(' ')}</td>
            <td className="t2">{member.joined}</td>
            <td>
              <MemberActs {...{ member, organizationSlug, organizationName, change }} />
            </td>
          </tr>
        ))}
      </DataTable>
      <ActionToast state={state} />
    </>
  )
}

type RowProps = { member: MemberRow; organizationSlug: string; change: (form: FormData) => void }

const Target = ({ member, organizationSlug }: Omit<RowProps, 'change'>) => (
  <>
    <input type="hidden" name="org" value={organizationSlug} />
    <input type="hidden" name="member" value={member.id} />
  </>
)

function RoleMenu({ member, organizationSlug, change }: RowProps) {
  return (
    <ActionForm action={change}>
      <Target {...{ member, organizationSlug }} />
      <Menu label={member.role} name={`Role of ${member.name}: ${member.role}`} className="btn s">
        {member.roles.map(role => (
          <button
            key={role}
            type="submit"
            name="change"
            value={`role:${role}`}
            aria-current={role === member.role ? 'true' : undefined}
          >
            {role}
          </button>
        ))}
      </Menu>
    </ActionForm>
  )
}

function MemberActs({ member, organizationSlug, organizationName, change }: RowProps & { organizationName: string }) {
  const name = shorten(member.name, 40)
  return (
    <ActionForm action={change} className={styles.acts}>
      <Target {...{ member, organizationSlug }} />
      {member.mayReceive ? (
        <ConfirmButton
          className="btn plain s"
          label={`Make ${name} the owner`}
          query={`Transfer ownership to ${name}?`}
          effect="They become owner and you become admin. Only they can give it back."
          verb="Transfer ownership"
          name="change"
          value="transfer"
        >
          Transfer
        </ConfirmButton>
      ) : null}
      {member.isMe ? (
        <ConfirmButton
          className="btn s danger"
          query={`Leave ${shorten(organizationName, 40)}?`}
          effect="You immediately lose access to its projects, your tokens stop working and your issues become unassigned. If it is your only organization, your sessions, password and second factors end too."
          verb="Leave"
          name="change"
          value="leave"
        >
          Leave
        </ConfirmButton>
      ) : member.mayRemove ? (
        <ConfirmButton
          className="btn s danger"
          label={`Remove ${name}`}
          query={`Remove ${name}?`}
          effect="They lose access immediately: open pages, live updates and personal tokens stop working. Their issues become unassigned. If it is their only organization, their sessions, password and second factors end too."
          verb="Remove member"
          name="change"
          value="remove"
          extra={member.tokens > 0 ? <TokenChoice count={member.tokens} /> : null}
        >
          Remove
        </ConfirmButton>
      ) : null}
    </ActionForm>
  )
}

/** Checked: whoever created a token has seen it. */
const TokenChoice = ({ count }: { count: number }) => (
  <label className={styles.also}>
    <input className="check" type="checkbox" name="tokens" value="on" defaultChecked />
    Also revoke {count === 1 ? 'the organization token' : `the ${count} organization tokens`} they created
  </label>
)
