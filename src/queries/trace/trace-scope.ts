import { projectIds } from '../project-ids.ts'
import type { Viewer } from '../viewer.ts'
import { asUuid } from './trace-id.ts'

/** All that a trace left in one table, of the viewer's projects only. A trace is a moment, but an address does not say which: a filter on the id finds it. */
export const traceScope = 'project_id IN {projectIds:Array(UInt64)} AND trace_id = {traceId:UUID}'

export const traceParams = (viewer: Viewer, traceId: string) => ({
  projectIds: projectIds(viewer),
  traceId: asUuid(traceId),
})
