import { mayDo, permissionOf, roleFor, scopesOf, type Verb } from '#domain/access/permissions.ts'
import { allows, type TokenScope } from '#domain/tokens/token-scopes.ts'
import { isTooBusy, tooBusyRetrySeconds } from '#lib/turns.ts'
import { getRuntime } from '#runtime.ts'
import { originOf } from '#web/request-headers.ts'
import { reportRequestError } from '#web/self-report/report-request-error.ts'
import type { ApiCall } from './api-call.ts'
import { apiError, apiNotFound } from './api-error.ts'
import { findApiViewer } from './find-api-viewer.ts'
import { hasNul, nulDetail } from './has-nul.ts'
import { isNamed } from './named-resources.ts'
import { narrowToNamed } from './narrow-to-named.ts'
import type { Needs, PathParams, Route } from './route.ts'

/** Token, organization, scope, then the handler. */
export async function callRoute(route: Route, request: Request, params: PathParams): Promise<Response> {
  try {
    const call = await admitCall(route, request, params)
    return call instanceof Response ? call : await handleCall(route, call)
  } catch (error) {
    // Before the token is known the response says nothing. Next would report it with the pattern of the router instead of the route's.
    await reportRequestError({ error, method: request.method, routePath: route.pattern, routeType: 'route' })
    return new Response(null, { status: 500 })
  }
}

/**
 * An organization that is not the token's is 404, like everything in it: a 403 would confirm that it exists.
 */
async function admitCall({ needs }: Route, request: Request, params: PathParams): Promise<ApiCall<string> | Response> {
  const admission = await findApiViewer(request)
  if (admission.kind === 'refused') return apiError(401, 'Invalid token')
  if (admission.kind === 'throttled') return tooManyGuesses(admission.waitMs)
  if (admission.kind === 'unprotected')
    return apiError(
      403,
      `${admission.organization} requires a second factor. This token works again once its owner has added one: sign in and follow the steps.`,
    )
  const { viewer, token } = admission
  if (params.org !== undefined && !isNamed(viewer.organization, params.org)) return apiNotFound()
  const lacking = scopesNeeded(needs).find(scope => scope === null || !allows(token.scopes, scope))
  if (lacking === null) return apiError(403, "Tokens can't do this. Sign in and use the UI.")
  if (lacking !== undefined)
    return apiError(
      403,
      `This token lacks the scope ${lacking}. Create a token with this scope in the organization settings.`,
    )
  const refused = verbsOf(needs).find(verb => token.owner !== null && !mayDo(token.owner.role, verb))
  if (refused !== undefined && token.owner !== null)
    return apiError(
      403,
      `This is a personal token of a ${token.owner.role}. This needs the role ${roleFor(permissionOf(refused))}, which an owner or admin can give.`,
    )
  const search = new URL(request.url).searchParams
  if ([...Object.values(params), ...search.values()].some(hasNul)) return apiError(400, nulDetail)
  const narrowed = narrowToNamed(viewer, search)
  if (narrowed instanceof Response) return narrowed
  const { control, clock } = getRuntime()
  const origin = originOf(request.headers)
  const context = { db: control.db, actor: `token:${token.id}`, now: clock.now, origin }
  return { viewer: narrowed, token, context, request, params, search, input: undefined }
}

async function handleCall(route: Route, call: ApiCall<string>): Promise<Response> {
  const { request } = call
  try {
    const response = await route.handle(call)
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    return response
  } catch (error) {
    // A client that disconnects during an upload is not an error of ours.
    if (!request.signal.aborted)
      await reportRequestError({ error, method: request.method, routePath: route.pattern, routeType: 'api' })
    return isTooBusy(error) ? tooBusy() : apiError(500, 'Internal error. See the log of Hydrant for details.')
  }
}

function tooBusy(): Response {
  const error = apiError(503, 'Your organization has too many queries running. Wait until some have finished.')
  error.headers.set('Retry-After', String(tooBusyRetrySeconds))
  return error
}

function tooManyGuesses(waitMs: number): Response {
  const seconds = Math.ceil(waitMs / 1_000)
  const error = apiError(429, `Too many invalid tokens from this IP address. Try again in ${seconds} seconds.`)
  error.headers.set('Retry-After', String(seconds))
  return error
}

const verbsOf = (needs: Needs): readonly Verb[] => (needs === null || typeof needs === 'string' ? [] : needs.does)

function scopesNeeded(needs: Needs): readonly (TokenScope | null)[] {
  if (needs === null) return []
  return typeof needs === 'string' ? [needs] : scopesOf(needs.does)
}
