'use client'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { Section } from '#ui/page-parts.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { Moment } from '#ui/time/moment.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { undeleteProject } from './actions.ts'

type Props = {
  projects: { id: number; slug: string; restorableUntil: number }[]
  organizationSlug: string
  mayRestore: boolean
}

/** Projects in their grace period. The toast is outside of the section, so that it stays when the last one is restored. */
export function DeletedProjects({ projects, organizationSlug, mayRestore }: Props) {
  const [state, action] = useAction(undeleteProject, idle)
  return (
    <>
      {projects.length > 0 ? (
        <Section title="Deleted projects" note="nothing they are sent is stored">
          <ActionForm action={action}>
            <input type="hidden" name="org" value={organizationSlug} />
            <DataTable
              label="Deleted projects"
              columns={['Project', numeric('Removed for good'), { label: 'Actions', isHidden: true }]}
            >
              {projects.map(({ id, slug, restorableUntil }) => (
                <tr key={id}>
                  <td className="strong">{slug}</td>
                  <td className="num t2">
                    after <Moment at={restorableUntil} />
                  </td>
                  <td>
                    {mayRestore ? (
                      <span className="row-acts">
                        <button type="submit" name="project" value={id} className="btn s">
                          Restore<span className="sr"> {slug}</span>
                        </button>
                      </span>
                    ) : null}
                  </td>
                </tr>
              ))}
            </DataTable>
          </ActionForm>
        </Section>
      ) : null}
      <ActionToast state={state} />
    </>
  )
}
