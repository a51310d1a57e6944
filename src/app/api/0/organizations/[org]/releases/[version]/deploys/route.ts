import { z } from 'zod'
import { apiError, apiNotFound } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { findNamedProjects } from '#api/find-named-projects.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { moment } from '#api/release-input.ts'
import { serializeDeploy } from '#api/serialize-release.ts'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import { listReleaseDeploys } from '#domain/releases/list-release-commits.ts'
import { findRelease } from '#domain/releases/list-releases.ts'

const text = z.string().max(1_000).nullish()
const input = z.object({
  environment: z.string(),
  name: text,
  url: text,
  dateStarted: moment,
  dateFinished: moment,
  projects: z.array(z.union([z.string(), z.number()])).nullish(),
})

export const GET = defineApiRoute({ needs: 'project:read' }, async ({ request, search, viewer, params }) => {
  const release = await findRelease(viewer, params.version ?? '')
  if (release === null) return apiNotFound()
  const page = readPage(search)
  const deploys = (await listReleaseDeploys(viewer, release)).slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(request, page, deploys.map(serializeDeploy))
})

export const POST = defineApiRoute(
  { needs: { does: ['release.deploy'] }, input },
  async ({ context, viewer, params, input }) => {
    const release = await findRelease(viewer, params.version ?? '')
    if (release === null) return apiNotFound()
    const named = findNamedProjects(viewer, input.projects ?? [])
    if (!named.ok) return apiError(400, named.detail)
    const created = await createDeploy(context, {
      organizationId: viewer.organization.id,
      version: release.version,
      projectIds: named.projectIds,
      environment: input.environment,
      name: input.name ?? '',
      url: input.url ?? '',
      startedAt: input.dateStarted ?? null,
      finishedAt: input.dateFinished ?? viewer.now,
    })
    if (!created.ok) return apiError(400, 'environment: use 1 to 64 characters without spaces and slashes.')
    return Response.json(serializeDeploy(created.deploy), { status: created.isNew ? 201 : 208 })
  },
)
