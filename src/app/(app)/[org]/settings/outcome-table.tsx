import type { OutcomeTotal } from '#queries/list-outcomes.ts'
import type { ViewerProject } from '#queries/viewer.ts'
import { Blank } from '#ui/blank.tsx'
import { outcomeWords } from '#ui/outcome-words.ts'
import { ScrollRegion } from '#ui/scroll-region.tsx'

export function OutcomeTable({ outcomes, projects }: { outcomes: OutcomeTotal[]; projects: readonly ViewerProject[] }) {
  if (outcomes.length === 0) {
    return (
      <div className="pane">
        <Blank title="Nothing was refused or dropped">
          Whatever Hydrant does not keep is counted here, with its reason.
        </Blank>
      </div>
    )
  }
  const slugOf = new Map(projects.map(({ id, slug }) => [id, slug]))
  return (
    <ScrollRegion className="tb-scroll" label="What was not kept">
      <table className="tb">
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col">Kind</th>
            <th scope="col">What happened</th>
            <th scope="col">Reason</th>
            <th scope="col" className="num">
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map(row => (
            <tr key={`${row.project_id} ${row.category} ${row.outcome} ${row.reason}`}>
              <td className="strong">{slugOf.get(row.project_id)}</td>
              <td>{row.category}</td>
              <td className="t2">{outcomeWords(row.outcome)}</td>
              <td className="mono">{row.reason}</td>
              <td className="num">{row.quantity.toLocaleString('en-US')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
