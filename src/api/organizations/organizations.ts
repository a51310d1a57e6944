/** Handlers about the token and its organization. */
import { listEnvironments } from '#domain/events/list-environments.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listTeams } from '#domain/members/teams.ts'
import { getOrganization, listProjects } from '#domain/projects/list-projects.ts'
import type { ApiHandler } from '../api-call.ts'
import { listResponse, pageResponse, publicOrigin, readPage } from '../pages.ts'
import { serializeBearer, serializeOrganization, serializeProject, serializeTeam } from './serialize-organization.ts'

/** User and scopes of the token, for `sentry-cli info`. A token of the organization has no user. */
export const getTokenInfo: ApiHandler = async ({ viewer, token }) =>
  Response.json({
    version: '0',
    auth: { scopes: token.scopes },
    user: token.owner === null ? null : serializeBearer(viewer),
  })

/** The user of the token. */
export const getTokenUser: ApiHandler = async ({ viewer }) => Response.json(serializeBearer(viewer))

/** This server is the only region. */
export const getRegions: ApiHandler = async ({ request }) =>
  Response.json({ regions: [{ name: 'default', url: publicOrigin(request) }] })

/** A token belongs to one organization. */
export const getOrganizations: ApiHandler = async ({ request, search, viewer }) => {
  const page = readPage(search)
  if (page instanceof Response) return page
  return pageResponse(
    request,
    page,
    page.offset > 0 ? [] : [serializeOrganization(request, await getOrganization(viewer))],
  )
}

/** The first call of the bundler plugins. */
export const getTokenOrganization: ApiHandler = async ({ request, viewer }) =>
  Response.json(serializeOrganization(request, await getOrganization(viewer)))

/** The projects of the organization; `?query=` searches slug and name. */
export const getProjects: ApiHandler = async ({ request, search, viewer }) => {
  const wanted = (search.get('query') ?? '').toLowerCase()
  const projects = (await listProjects(viewer)).filter(
    ({ slug, name }) => slug.includes(wanted) || name.toLowerCase().includes(wanted),
  )
  return listResponse(request, search, projects, {
    idOf: ({ id }) => String(id),
    serialize: project => serializeProject(viewer, project),
  })
}

export const getTeams: ApiHandler = async ({ request, search, viewer }) => {
  return listResponse(request, search, await listTeams(viewer), {
    idOf: ({ id }) => String(id),
    serialize: team => serializeTeam(team, viewer.user.id),
  })
}

/** The members of the organization; `?query=` searches name and email. */
export const getMembers: ApiHandler = async ({ viewer, request, search }) => {
  const wanted = (search.get('query') ?? '').toLowerCase()
  const members = (await listMembers(viewer)).filter(({ name, email }) =>
    `${name} ${email}`.toLowerCase().includes(wanted),
  )
  return listResponse(request, search, members, {
    idOf: ({ id }) => id,
    serialize: ({ id, name, email, role, joinedAt }) => ({
      id,
      email,
      name: name || email,
      user: { id, name, email, username: email, isActive: true },
      role,
      roleName: role,
      pending: false,
      expired: false,
      dateCreated: new Date(joinedAt).toISOString(),
      inviteStatus: 'approved',
    }),
  })
}

/** Always empty, so that `set-commits --auto` reads the local git log and sends the commits. */
export const getRepositories: ApiHandler = async ({ request, search }) => {
  const page = readPage(search)
  return page instanceof Response ? page : pageResponse(request, page, [])
}

export const getEnvironments: ApiHandler = async ({ viewer }) =>
  Response.json((await listEnvironments(viewer)).map(name => ({ id: name, name })))
