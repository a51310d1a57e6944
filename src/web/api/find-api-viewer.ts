import { hashAuthToken } from '#commands/format-auth-token.ts'
import { allows } from '#commands/token-scopes.ts'
import { touchAuthToken } from '#commands/touch-auth-token.ts'
import { type FoundToken, findAuthToken } from '#queries/find-auth-token.ts'
import { listOrganizationProjects } from '#queries/list-organization-projects.ts'
import type { Viewer } from '#queries/viewer.ts'
import { getRuntime } from '#runtime.ts'
import { admit } from '../admit.ts'
import { clientGroup } from '../client-address.ts'
import { getTokenGuessLimit } from './token-guess-limit.ts'

export type ApiToken = Pick<FoundToken, 'id' | 'name' | 'scopes' | 'madeBy'>
export type ApiAdmission =
  | { kind: 'admitted'; viewer: Viewer; token: ApiToken }
  | { kind: 'refused' }
  | { kind: 'throttled'; waitMs: number }

/**
 * The guard of the web API: a token opens one organization and nothing else; none, a wrong or a revoked one opens nothing. Only wrong ones
 * count as guesses, and a right one is accepted whatever its neighbors at the same address try: looking it up costs one indexed read.
 */
export async function findApiViewer(request: Request): Promise<ApiAdmission> {
  const bearer = /^Bearer\s+(\S{1,2000})$/i.exec(request.headers.get('authorization')?.trim() ?? '')?.[1]
  if (bearer === undefined) return { kind: 'refused' }
  const { control, telemetry, clock, config, log } = getRuntime()
  const found = await findAuthToken(control, hashAuthToken(bearer))
  if (found === null) {
    const address = clientGroup(request.headers.get('x-forwarded-for'), config.trustedProxies)
    const over = getTokenGuessLimit().fail(address)
    log.info({ address, isThrottled: over !== null }, 'token refused')
    return over === null ? { kind: 'refused' } : { kind: 'throttled', waitMs: over.waitMs }
  }
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
  return { kind: 'admitted', viewer, token }
}
