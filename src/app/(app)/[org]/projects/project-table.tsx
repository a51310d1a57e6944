import type { ProjectSummary } from '#domain/projects/list-projects.ts'
import { Ago } from '#ui/ago.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'

export function ProjectTable({ projects, base, now }: { projects: ProjectSummary[]; base: string; now: number }) {
  return (
    <DataTable label="Projects of this organization" columns={['Project', numeric('Events'), numeric('Last received')]}>
      {projects.map(project => (
        <tr key={project.id}>
          <td>
            <Link className="row" href={`${base}/${project.slug}`}>
              {project.slug}
              {project.isInternal ? <span className="t3"> Hydrant’s own errors</span> : null}
            </Link>
          </td>
          <td className="num">{project.eventCount === 0 ? '–' : formatCount(project.eventCount)}</td>
          <td className="num t2">
            {project.lastArrivalAt === null ? 'never' : <Ago at={project.lastArrivalAt} now={now} />}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
