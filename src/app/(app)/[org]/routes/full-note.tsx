import type { Viewer } from '#domain/access/viewer.ts'
import { findFullProjects, mostKnownRoutes } from '#domain/routes/find-full-projects.ts'
import type { RouteFilter } from '#domain/routes/route-sums.ts'
import { formatCount } from '#ui/format.ts'
import { Notice } from '#ui/notice.tsx'
import { attempt } from '#web/attempt.ts'

type Props = { viewer: Viewer; filter: Pick<RouteFilter, 'projectIds'> }

/** Says that a project has so many routes that no others are learned; nothing for usual projects. */
export async function FullNote({ viewer, filter }: Props) {
  const found = await attempt('known routes', findFullProjects(viewer, filter.projectIds))
  if (!found.ok || found.value.length === 0) return null
  const names = viewer.projects.filter(({ id }) => found.value.includes(id)).map(({ slug }) => slug)
  return (
    <div className="rnote">
      <Notice kind="warning">
        {names.join(', ')}: {formatCount(mostKnownRoutes)} routes are known, and no more are kept. Pages of other routes
        count as unmatched paths if their server or browser does not name the route itself. This happens when an app
        sends paths in place of patterns; check the names of its spans. Known routes are forgotten after 30 days, and
        learned again.
      </Notice>
    </div>
  )
}
