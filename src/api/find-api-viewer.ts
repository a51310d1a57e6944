import { lowerRole, may } from '#domain/access/permissions.ts'
import { createViewer, type Viewer } from '#domain/access/viewer.ts'
import { listVisibleProjects, type Sight } from '#domain/projects/unscoped-projects.ts'
import { hashAuthToken } from '#domain/tokens/create-auth-token.ts'
import { type FoundToken, findAuthToken, touchAuthToken } from '#domain/tokens/find-auth-token.ts'
import { allows } from '#domain/tokens/token-scopes.ts'
import { getRuntime } from '#runtime.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { createGuessLimit } from '#web/guess-limit.ts'
import { clientGroup } from '#web/request-headers.ts'

export type ApiToken = Pick<FoundToken, 'id' | 'name' | 'scopes' | 'createdBy' | 'owner'>
type ApiAdmission =
  | { kind: 'admitted'; viewer: Viewer; token: ApiToken }
  | { kind: 'refused' }
  /** Valid, but its owner has no second factor, which the organization requires. */
  | { kind: 'unprotected'; organization: string }
  | { kind: 'throttled'; waitMs: number }

/**
 * The guard of the web API: a valid token gives access to one organization. Only invalid tokens count as guesses; a valid one is always
 * accepted, whatever others try from the same IP address, because finding it costs one indexed read.
 */
export async function findApiViewer(request: Request): Promise<ApiAdmission> {
  const bearer = /^Bearer\s+(\S{1,2000})$/i.exec(request.headers.get('authorization')?.trim() ?? '')?.[1]
  if (bearer === undefined) return { kind: 'refused' }
  const { control, telemetry, clock, config, log } = getRuntime()
  const found = await findAuthToken(control, hashAuthToken(bearer), clock.now())
  if (found === null) {
    const address = clientGroup(request.headers, config.trustedProxies)
    const over = getTokenGuessLimit().fail(address)
    log.info({ address, isThrottled: over !== null }, 'token rejected')
    return over === null ? { kind: 'refused' } : { kind: 'throttled', waitMs: over.waitMs }
  }
  const { organization, ...token } = found
  if (token.lacksSecondFactor) return { kind: 'unprotected', organization: organization.slug }
  await touchAuthToken({ db: control.db, actor: `token:${token.id}`, now: clock.now }, token)
  const identity = {
    user: token.createdBy ?? { id: `token:${token.id}`, name: token.name, email: '' },
    organization,
    role: roleOf(token),
    ...(await listVisibleProjects(control, organization.id, sightOf(token))),
    now: clock.now(),
  }
  return { kind: 'admitted', viewer: createViewer(identity, { control, telemetry }), token }
}

/** A personal token has at most the role of its owner. */
function roleOf({ scopes, owner }: ApiToken): MemberRole {
  const role = allows(scopes, 'event:write') ? 'member' : 'viewer'
  return owner === null ? role : lowerRole(role, owner.role)
}

/** A personal token sees what its owner sees; a token of the organization sees private projects only if it was created for that. */
const sightOf = ({ owner, seesPrivate }: Pick<FoundToken, 'owner' | 'seesPrivate'>): Sight =>
  owner === null
    ? { seesAll: seesPrivate, userId: null }
    : { seesAll: may(owner.role, 'project:all'), userId: owner.id }

/** Invalid tokens per address group, including revoked ones. Valid tokens are not limited. */
const rules = { address: { limit: 100, windowMs: 10 * 60_000 } } as const

type TokenGuessLimit = { fail(address: string): { waitMs: number } | null }
const key = Symbol.for('hydrant.tokenGuessLimit')
const holder = globalThis as { [key]?: TokenGuessLimit }

/** One per process, although Next may load several copies of this module. */
function getTokenGuessLimit(): TokenGuessLimit {
  holder[key] ??= createTokenGuessLimit(Date.now)
  return holder[key]
}

function createTokenGuessLimit(now: () => number): TokenGuessLimit {
  const limit = createGuessLimit(rules, { now })
  return {
    fail(address) {
      const reserved = limit.reserve([{ rule: 'address', key: address }])
      return reserved.ok ? null : { waitMs: reserved.waitMs }
    },
  }
}
