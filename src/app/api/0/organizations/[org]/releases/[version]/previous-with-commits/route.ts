import { defineApiRoute } from '#api/define-api-route.ts'
import { findLastEvents } from '#domain/releases/list-release-issues.ts'
import { findPreviousCommit } from '#domain/releases/list-releases.ts'

/** `set-commits` uses it to find the first commit to send. An empty object if there is no previous release. */
export const GET = defineApiRoute({ needs: 'project:read' }, async ({ viewer, params }) => {
  const previous = await findPreviousCommit(viewer, params.version ?? '')
  if (previous === null) return Response.json({})
  const { version, commitId, repository, createdAt } = previous
  const seen = { version, firstSeen: createdAt, projectIds: viewer.projects.map(({ id }) => id) }
  const lastEventAt = (await findLastEvents(viewer, [seen])).get(version)
  return Response.json({
    version,
    dateCreated: new Date(createdAt).toISOString(),
    dateReleased: null,
    newGroups: 0,
    lastEvent: lastEventAt === undefined ? null : new Date(lastEventAt).toISOString(),
    projects: [],
    lastCommit: { id: commitId, repository: { name: repository } },
  })
})
