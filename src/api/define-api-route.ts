import type { ZodType } from 'zod'
import type { CommandContext } from '#domain/access/command-context.ts'
import { scopesOf, type Verb } from '#domain/access/permissions.ts'
import type { Viewer, ViewerProject } from '#domain/access/viewer.ts'
import { allows, type TokenScope } from '#domain/tokens/token-scopes.ts'
import { decodePart } from '#lib/text.ts'
import { getRuntime } from '#runtime.ts'
import { reportRequestError } from '#web/self-report/report-request-error.ts'
import { apiError, apiNotFound } from './api-error.ts'
import { type ApiToken, findApiViewer } from './find-api-viewer.ts'

type Definition<Input> = {
  /** For a read, the required scope, or `null` if every token of the organization may read it; for a write, its verbs. */
  needs: TokenScope | null | { does: readonly Verb[] }
  /** The schema of the JSON body. Without it the handler reads the body. */
  input?: ZodType<Input>
}
export type ApiCall<Input> = {
  viewer: Viewer
  token: ApiToken
  /** For commands; the actor is the token. */
  context: CommandContext
  request: Request
  search: URLSearchParams
  /** The dynamic segments of the path, decoded. */
  params: Record<string, string>
  input: Input
}
/** For routes with `[project]` in their path. */
export type ProjectCall<Input> = ApiCall<Input> & { project: ViewerProject }
/** Next gives undefined for routes without parameters. */
type RouteContext = { params: Promise<Record<string, string | string[]> | undefined> }
type Handler<Call> = (call: Call) => Promise<Response>

/**
 * One method of a route under /api/0: token, organization, scope, body, then the handler. An organization that is not the token's
 * is 404, like everything in it: a 403 would confirm that it exists.
 */
export function defineApiRoute<Input = unknown>(definition: Definition<Input>, handle: Handler<ApiCall<Input>>) {
  return async (request: Request, context: RouteContext): Promise<Response> => {
    const admission = await findApiViewer(request)
    if (admission.kind === 'refused') return apiError(401, 'Invalid token')
    if (admission.kind === 'throttled') return tooManyGuesses(admission.waitMs)
    const { viewer, token } = admission
    const params = readParams((await context.params) ?? {})
    if (params.org !== undefined && !isNamed(viewer.organization, params.org)) return apiNotFound()
    const lacking = scopesNeeded(definition.needs).find(scope => scope === null || !allows(token.scopes, scope))
    if (lacking === null) return apiError(403, "Tokens can't do this. Sign in and use the UI.")
    if (lacking !== undefined)
      return apiError(
        403,
        `This token lacks the scope ${lacking}. Create a token with this scope in the organization settings.`,
      )
    const body = definition.input
      ? await readJson(request, definition.input)
      : { ok: true as const, value: undefined as Input }
    if (!body.ok) return apiError(body.status, body.detail)
    const { control, clock } = getRuntime()
    const call = { viewer, token, request, params, input: body.value, search: new URL(request.url).searchParams }
    try {
      const response = await handle({
        ...call,
        context: { db: control.db, actor: `token:${token.id}`, now: clock.now },
      })
      if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
      return response
    } catch (error) {
      // A client that disconnects during an upload is not an error of ours.
      if (!request.signal.aborted)
        await reportRequestError({
          error,
          method: request.method,
          routePath: patternOf(new URL(request.url).pathname, params),
          routeType: 'api',
        })
      return apiError(500, 'Internal error. See the log of Hydrant for details.')
    }
  }
}

/** The same for `/api/0/projects/[org]/[project]/…`: the project by slug or number, else 404. */
export function defineProjectRoute<Input = unknown>(
  definition: Definition<Input>,
  handle: Handler<ProjectCall<Input>>,
) {
  return defineApiRoute<Input>(definition, async call => {
    const project = call.viewer.projects.find(candidate => isNamed(candidate, call.params.project ?? ''))
    return project ? handle({ ...call, project }) : apiNotFound()
  })
}

function tooManyGuesses(waitMs: number): Response {
  const seconds = Math.ceil(waitMs / 1_000)
  const error = apiError(429, `Too many invalid tokens from this IP address. Try again in ${seconds} seconds.`)
  error.headers.set('Retry-After', String(seconds))
  return error
}

function scopesNeeded(needs: Definition<unknown>['needs']): readonly (TokenScope | null)[] {
  if (needs === null) return []
  return typeof needs === 'string' ? [needs] : scopesOf(needs.does)
}

/** Drops the lists of catch-all segments, which no route uses. */
function readParams(given: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** `/api/0/organizations/[org]/releases/[version]`: reports must not contain the values. */
function patternOf(pathname: string, params: Record<string, string>): string {
  const names = new Map(Object.entries(params).map(([name, value]) => [value, `[${name}]`]))
  return pathname
    .split('/')
    .map(part => names.get(decodePart(part)) ?? part)
    .join('/')
}

/** Tools use the slug or the id of an organization or project. */
export function isNamed({ id, slug }: { id: number; slug: string }, name: string): boolean {
  return slug === name || String(id) === name
}

const maxBytes = 8 * 1024 * 1024 // enough for the commits of a first release with their files

type ReadJson<Value> = { ok: true; value: Value } | { ok: false; status: 400 | 413; detail: string }

/** Reads a JSON body up to the limit. An empty body is an empty object, because some tools send none. */
async function readJson<Value>(request: Request, schema: ZodType<Value>): Promise<ReadJson<Value>> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) return { ok: false, status: 413, detail: `The request is larger than ${maxBytes} bytes.` }
    chunks.push(chunk)
  }
  const parsed = schema.safeParse(parse(Buffer.concat(chunks).toString('utf8')))
  if (parsed.success) return { ok: true, value: parsed.data }
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') || 'body'
  return { ok: false, status: 400, detail: `${path}: ${issue?.message ?? 'invalid'}` }
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined // every schema rejects it with 400
  }
}
