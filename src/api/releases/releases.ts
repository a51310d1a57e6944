/** Handlers about releases: lists, one release and its changes. */
import type { Viewer } from '#domain/access/viewer.ts'
import { findLastEvents } from '#domain/releases/list-release-issues.ts'
import { findPreviousCommit, findRelease, isHiddenRelease } from '#domain/releases/list-releases.ts'
import { readReleases, releaseTime } from '#domain/releases/read-releases.ts'
import { deleteRelease as deleteStoredRelease, saveRelease } from '#domain/releases/save-release.ts'
import type { ApiCall, ApiHandler } from '../api-call.ts'
import { apiError, apiNotFound, hiddenVersion } from '../api-error.ts'
import { findNamedProjects } from '../find-named-projects.ts'
import { ofProject } from '../named-resources.ts'
import { keyedResponse, readPage, rowsAfter } from '../pages.ts'
import { withInput } from '../with-input.ts'
import {
  type NewReleaseInput,
  newReleaseInput,
  type ReleaseInput,
  readReleaseChange,
  releaseChangeInput,
} from './release-input.ts'
import { serializeReleases } from './serialize-release.ts'

/** The releases of the organization, latest first; `?query=` searches their versions. */
export const getReleases: ApiHandler = async ({ request, search, viewer }) => {
  return listResponse({ viewer, request, search }, { text: (search.get('query') ?? '').slice(0, 250) })
}

/** The releases of one project, latest first. */
export const getProjectReleases = ofProject(call => listResponse(call, { projectIds: [call.project.id] }))

async function listResponse(
  { viewer, request, search }: Pick<ApiCall, 'viewer' | 'request' | 'search'>,
  only: { text?: string; projectIds?: readonly number[] },
): Promise<Response> {
  const page = readPage(search, { isKeyed: true })
  if (page instanceof Response) return page
  const rows = rowsAfter(await readReleases(viewer, only), page, (release, { key, id }) => {
    const at = releaseTime(release)
    return at < key || (at === key && release.version < id)
  })
  const shown = await serializeReleases(viewer, rows.slice(0, page.limit))
  return keyedResponse(request, page, rows, {
    keyOf: release => ({ key: releaseTime(release), id: release.version }),
    serialize: () => shown,
  })
}

export const postRelease = withInput(newReleaseInput, call => createRelease(call))

/** 201 for a new release, 208 for an existing one: tools accept both. The response shows what `shownTo` may see of it. */
export async function createRelease(
  { context, viewer, input }: Pick<ApiCall<never, NewReleaseInput>, 'context' | 'viewer' | 'input'>,
  shownTo: Viewer = viewer,
): Promise<Response> {
  const named = findNamedProjects(viewer, input.projects ?? [])
  if (!named.ok) return apiError(400, named.detail)
  if (await isHiddenRelease(viewer, input.version)) return hiddenVersion()
  const saved = await saveRelease(context, {
    organizationId: viewer.organization.id,
    version: input.version,
    projectIds: named.projectIds,
    ...readReleaseChange(input, viewer.now),
  })
  if (!saved.ok) return apiError(400, 'version: use one line of at most 250 characters.')
  return releaseResponse(shownTo, input.version, saved.isNew ? 201 : 208)
}

async function releaseResponse(viewer: Viewer, version: string, status = 200): Promise<Response> {
  const release = await findRelease(viewer, version)
  if (release === null) return apiNotFound()
  const [serialized] = await serializeReleases(viewer, [release])
  return Response.json(serialized, { status })
}

export const getRelease: ApiHandler<'version'> = ({ viewer, params }) => releaseResponse(viewer, params.version)

export const putRelease = withInput(releaseChangeInput, (call: ApiCall<'version', ReleaseInput>) => changeRelease(call))

/** Finalizes a release or sets its commits. Creates a missing one if the body names its projects. */
export async function changeRelease(
  { context, viewer, input, params: { version } }: ApiCall<'version', ReleaseInput>,
  shownTo: Viewer = viewer,
): Promise<Response> {
  if ((input.version ?? version) !== version) return apiError(400, "version: a release can't be renamed.")
  const named = findNamedProjects(viewer, input.projects ?? [])
  if (!named.ok) return apiError(400, named.detail)
  const before = await findRelease(viewer, version)
  if (before === null && named.projectIds.length === 0) return apiNotFound()
  if (await isHiddenRelease(viewer, version)) return hiddenVersion()
  const saved = await saveRelease(context, {
    organizationId: viewer.organization.id,
    version,
    projectIds: [...new Set([...named.projectIds, ...(before?.projectIds ?? [])])],
    ...readReleaseChange(input, viewer.now),
  })
  return saved.ok ? releaseResponse(shownTo, version) : apiNotFound()
}

export const deleteRelease: ApiHandler<'version'> = async ({ context, viewer, params }) => {
  // Also for one that only hidden projects have sent, which "has events" would tell.
  if ((await findRelease(viewer, params.version)) === null || (await isHiddenRelease(viewer, params.version)))
    return apiNotFound()
  const deleted = await deleteStoredRelease(context, {
    organizationId: viewer.organization.id,
    version: params.version,
    hiddenProjectIds: viewer.hiddenProjectIds,
  })
  if (deleted.ok) return new Response(null, { status: 204 })
  if (deleted.code === 'release_in_use') return apiError(400, "This release has events, so it can't be deleted.")
  return apiNotFound()
}

/** `set-commits` uses it to find the first commit to send. An empty object if there is no previous release. */
export const getPreviousRelease: ApiHandler<'version'> = async ({ viewer, params }) => {
  const previous = await findPreviousCommit(viewer, params.version)
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
}
