import type { ProjectKey } from '#domain/projects/project-keys.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { shorten } from '#ui/shorten.ts'
import { KeySwitch } from './key-form.tsx'

type Props = {
  keys: ProjectKey[]
  /** With one alone, its name is not repeated. */
  projects: readonly { id: number; slug: string }[]
  organizationSlug: string
  mayWrite: boolean
}

export function KeyTable({ keys, projects, organizationSlug, mayWrite }: Props) {
  const hasProjects = projects.length > 1
  const slugOf = new Map(projects.map(({ id, slug }) => [id, slug]))
  return (
    <DataTable
      label="Project keys"
      columns={[
        ...(hasProjects ? ['Project'] : []),
        'Label',
        'Public key',
        'Status',
        { label: 'Actions', isHidden: true },
      ]}
    >
      {keys.map(key => (
        <tr key={key.id}>
          {hasProjects ? <td className="strong">{slugOf.get(key.projectId)}</td> : null}
          <td className="key-label t2 cut">{key.label}</td>
          <td className="mono">{key.publicKey}</td>
          <td className={key.isActive ? '' : 'meh'}>{key.isActive ? 'active' : 'disabled'}</td>
          <td>
            <span className="row-acts">
              <CopyButton text={key.publicKey} label="Copy key" />
              {mayWrite ? (
                <KeySwitch
                  keyId={key.id}
                  projectId={key.projectId}
                  name={`${shorten(key.label, 60) || key.publicKey.slice(0, 8)} (${slugOf.get(key.projectId) ?? ''})`}
                  isActive={key.isActive}
                  organizationSlug={organizationSlug}
                />
              ) : null}
            </span>
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
