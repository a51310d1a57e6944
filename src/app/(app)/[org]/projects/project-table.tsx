import type { ProjectSummary } from '#domain/projects/list-projects.ts'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'

export function ProjectTable({ projects, base, now }: { projects: ProjectSummary[]; base: string; now: number }) {
  return (
    <DataTable
      label="Projects of this organization"
      columns={['Project', numeric('Events'), numeric('Last received'), { label: 'Settings', isHidden: true }]}
    >
      {projects.map(project => (
        <tr key={project.id}>
          <td>
            <Link className="row" href={`${base}/${project.slug}`}>
              {project.slug}
              {project.name === project.slug || project.isInternal ? null : (
                <span className="t3"> {shorten(project.name, 60)}</span>
              )}
              {project.isInternal ? <span className="t3"> Hydrant’s own errors</span> : null}
            </Link>
          </td>
          <td className="num">{project.eventCount === 0 ? '–' : formatCount(project.eventCount)}</td>
          <td className="num t2">
            {project.lastArrivalAt === null ? 'never' : <Ago at={project.lastArrivalAt} now={now} />}
          </td>
          <td>
            <span className="row-acts">
              <Link className="btn plain s" href={`${base}/${project.slug}/settings`}>
                Settings<span className="sr"> of {project.slug}</span>
              </Link>
            </span>
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
