import type { ProjectSummary } from '#domain/projects/list-projects.ts'
import { Ago } from '#ui/ago.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'

export function ProjectTable({ projects, base, now }: { projects: ProjectSummary[]; base: string; now: number }) {
  return (
    <div className="tb-scroll">
      <table className="tb">
        <caption className="sr">Projects of this organization</caption>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col" className="num">
              Events
            </th>
            <th scope="col" className="num">
              Last received
            </th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  )
}
