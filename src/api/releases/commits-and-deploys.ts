/** Handlers about the commits and deploys of a release. */
import { z } from 'zod'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import { listReleaseCommits, listReleaseDeploys } from '#domain/releases/list-release-commits.ts'
import { findRelease } from '#domain/releases/list-releases.ts'
import type { ApiCall, ApiHandler } from '../api-call.ts'
import { apiError, apiNotFound } from '../api-error.ts'
import { findNamedProjects } from '../find-named-projects.ts'
import { keyedResponse, listResponse, readPage, rowsAfter } from '../pages.ts'
import { strictFields } from '../strict-fields.ts'
import { withInput } from '../with-input.ts'
import { moment } from './release-input.ts'
import { serializeDeploy } from './serialize-release.ts'

/** The commits of a release, newest first. */
export const getReleaseCommits: ApiHandler<'version'> = async ({ request, search, viewer, params }) => {
  const release = await findRelease(viewer, params.version)
  if (release === null) return apiNotFound()
  return listResponse(request, search, await listReleaseCommits(viewer, release), {
    idOf: ({ commitId }) => commitId,
    serialize: commit => ({
      id: commit.commitId,
      message: commit.message,
      dateCreated: new Date(commit.committedAt).toISOString(),
      repository: { name: commit.repository },
      author: { name: commit.authorName, email: commit.authorEmail },
    }),
  })
}

export const getReleaseDeploys: ApiHandler<'version'> = async ({ request, search, viewer, params }) => {
  const release = await findRelease(viewer, params.version)
  if (release === null) return apiNotFound()
  const page = readPage(search, { isKeyed: true })
  if (page instanceof Response) return page
  const deploys = rowsAfter(
    await listReleaseDeploys(viewer, release),
    page,
    ({ finishedAt, id }, after) => finishedAt < after.key || (finishedAt === after.key && id < Number(after.id)),
  )
  return keyedResponse(request, page, deploys, {
    keyOf: ({ finishedAt, id }) => ({ key: finishedAt, id: String(id) }),
    serialize: rows => rows.map(serializeDeploy),
  })
}

const text = z.string().max(1_000).nullish()
const deployInput = z.strictObject(
  {
    environment: z.string(),
    name: text,
    url: text,
    dateStarted: moment,
    dateFinished: moment,
    projects: z.array(z.union([z.string(), z.number()])).nullish(),
  },
  strictFields,
)
type DeployInput = z.output<typeof deployInput>

export const postReleaseDeploy = withInput(deployInput, async (call: ApiCall<'version', DeployInput>) => {
  const { context, viewer, params, input } = call
  const release = await findRelease(viewer, params.version)
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
})
