import { Check } from 'lucide-react'
import { may, type Permission, roles } from '#domain/access/permissions.ts'
import { DataTable } from '#ui/data-table.tsx'
import styles from './members.module.css'

/** In the order of the table: what everyone may do first. */
const rows: { label: string; permission: Permission }[] = [
  { label: 'Read issues, traces, routes and releases', permission: 'issue:read' },
  { label: 'Resolve, assign, merge and comment', permission: 'issue:write' },
  { label: 'Acknowledge, comment on and close incidents', permission: 'incident:write' },
  { label: 'Create projects', permission: 'project:create' },
  { label: 'Change projects, keys and filters, and see private projects', permission: 'project:write' },
  { label: 'Delete issues and projects', permission: 'project:delete' },
  { label: 'Create organization tokens', permission: 'token:write' },
  { label: 'Invite and remove members, change teams', permission: 'member:write' },
  { label: 'Read the audit log', permission: 'audit:read' },
  { label: 'Make owners and transfer ownership', permission: 'owner:write' },
]

/** Read from the table that the guards read, so it is what really applies. */
export function RoleTable() {
  return (
    <DataTable label="What each role can do" look={styles.roles ?? ''} columns={['Can', ...roles]}>
      {rows.map(({ label, permission }) => (
        <tr key={permission}>
          <td>{label}</td>
          {roles.map(role => (
            <td key={role}>
              {may(role, permission) ? (
                <>
                  <Check className={`i i-s ${styles.yes}`} aria-hidden="true" />
                  <span className="sr">yes</span>
                </>
              ) : (
                <span className={styles.no}>
                  <span aria-hidden="true">–</span>
                  <span className="sr">no</span>
                </span>
              )}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  )
}

/** Next to each role in the form. */
export const roleNotes: Record<(typeof roles)[number], string> = {
  viewer: 'reads everything, changes nothing',
  member: 'works on issues, creates projects',
  admin: 'manages projects, tokens and members',
  owner: 'everything',
}
