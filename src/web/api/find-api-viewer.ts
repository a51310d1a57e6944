import { hashAuthToken } from '#commands/format-auth-token.ts'
import { allows } from '#commands/token-scopes.ts'
import { touchAuthToken } from '#commands/touch-auth-token.ts'
import { type FoundToken, findAuthToken } from '#queries/find-auth-token.ts'
import { listOrganizationProjects } from '#queries/list-organization-projects.ts'
import type { Viewer } from '#queries/viewer.ts'
import { getRuntime } from '#runtime.ts'
import { admit } from '../admit.ts'

export type ApiToken = Pick<FoundToken, 'id' | 'name' | 'scopes' | 'madeBy'>
export type ApiViewer = { viewer: Viewer; token: ApiToken }

/** The guard of the web API: a token opens one organisation and nothing else. Null for none, a wrong or a revoked one. */
export async function findApiViewer(request: Request): Promise<ApiViewer | null> {
  const bearer = /^Bearer\s+(\S{1,2000})$/i.exec(request.headers.get('authorization')?.trim() ?? '')?.[1]
  if (bearer === undefined) return null
  const { control, telemetry, clock } = getRuntime()
  const found = await findAuthToken(control, hashAuthToken(bearer))
  if (found === null) return null
  const { organization, ...token } = found
  await touchAuthToken({ db: control.db, actor: `token:${token.id}`, now: clock.now }, token)
  const viewer = admit({
    user: token.madeBy ?? { id: `token:${token.id}`, name: token.name, email: '' },
    organization,
    role: allows(token.scopes, 'event:write') ? 'member' : 'viewer',
    projects: await listOrganizationProjects(control, organization.id),
    control,
    telemetry,
    now: clock.now(),
  })
  return { viewer, token }
}
