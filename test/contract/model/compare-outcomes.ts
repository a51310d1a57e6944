/** What was received and not stored: noise that a filter dropped, and repeats. */
import { countFiltered, listFilteredExamples } from '#domain/filters/filters.ts'
import { listOutcomes } from '#domain/projects/list-outcomes.ts'
import { dayMs, hourMs } from './generate.ts'
import { type Model, sum } from './report.ts'

export async function compareOutcomes({ viewer, now, noise, repeats, report }: Model): Promise<void> {
  for (const since of [now - dayMs, now - 20 * dayMs]) {
    // Outcomes are kept by the hour.
    const isIn = ({ receivedAt }: { receivedAt: number }): boolean => receivedAt >= Math.floor(since / hourMs) * hourMs
    const rows = await listOutcomes(viewer, { since })
    for (const { id: projectId } of viewer.projects) {
      const shown = (reason: string) =>
        sum(rows.filter(row => row.project_id === projectId && row.reason === reason).map(({ quantity }) => quantity))
      const own = (of: typeof noise) => of.filter(row => row.projectId === projectId && isIn(row)).length
      report.same(`filtered in project ${projectId} since ${since}`, shown('resize-observer'), own(noise))
      report.same(`repeats in project ${projectId} since ${since}`, shown('duplicate'), own(repeats))
      const alone = await listOutcomes(viewer, { since, projectId })
      report.same(
        `outcomes of project ${projectId} since ${since}`,
        sum(alone.map(({ quantity }) => quantity)),
        own(noise) + own(repeats),
      )
    }
  }
  for (const { id: projectId } of viewer.projects) {
    const days = 10
    const first = Math.floor(now / dayMs) - days + 1
    const truth = Array.from({ length: days }, (_, day) => {
      const isIn = ({ receivedAt }: { receivedAt: number }) => Math.floor(receivedAt / dayMs) === first + day
      return noise.filter(each => each.projectId === projectId && isIn(each)).length
    })
    const counts = await countFiltered(viewer, projectId, days)
    report.same(`filtered by day in project ${projectId}`, counts.get('resize-observer') ?? truth.map(() => 0), truth)
    const examples = await listFilteredExamples(viewer, projectId)
    const all = noise.filter(each => each.projectId === projectId)
    report.same(
      `examples of project ${projectId}`,
      examples.every(({ at }) => all.some(each => each.receivedAt === at)),
      true,
    )
  }
}
