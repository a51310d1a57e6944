import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'
import { within } from './within.ts'

const maxRows = 500

/** The newest events that a project's filters dropped, as far as they were noted. */
export async function listFilteredExamples(viewer: Viewer, projectId: number) {
  const rows = await viewer.control.db
    .selectFrom('filtered_example')
    .select(['rule', 'event_id as eventId', 'at', 'title', 'route', 'release', 'browser'])
    .where('project_id', 'in', within(projectIds(viewer), projectId))
    .orderBy('at', 'desc')
    .limit(maxRows)
    .execute()
  return rows
}

export type FilteredExample = Awaited<ReturnType<typeof listFilteredExamples>>[number]
