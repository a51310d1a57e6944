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
  /** For a read, the least that a token must be allowed, `null` where every token of the organization may ask; for a write, all it can do. */
  needs: TokenScope | null | { does: readonly Verb[] }
  /** The JSON body. Without it the body is left to the handler. */
  input?: ZodType<Input>
}
export type ApiCall<Input> = {
  viewer: Viewer
  token: ApiToken
  /** For commands: their actor is the token. */
  context: CommandContext
  request: Request
  search: URLSearchParams
  /** The dynamic parts of the address, decoded. */
  params: Record<string, string>
  input: Input
}
/** `project` is there in routes that have a `[project]` in their address, and only there. */
export type ProjectCall<Input> = ApiCall<Input> & { project: ViewerProject }
/** Next gives no parameters at all where the address has none. */
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
    if (lacking === null) return apiError(403, 'Tokens cannot do this. Sign in and do it on the page.')
    if (lacking !== undefined)
      return apiError(
        403,
        `This token lacks the scope ${lacking}. Create one that has it in the organization's settings.`,
      )
    const body = definition.input
      ? await readJson(request, definition.input)
      : { ok: true as const, value: undefined as Input }
    if (!body.ok) return apiError(body.status, body.detail)
    const { control, clock } = getRuntime()
    const call = { viewer, token, request, params, input: body.value, search: new URL(request.url).searchParams }
    try {
      const answer = await handle({ ...call, context: { db: control.db, actor: `token:${token.id}`, now: clock.now } })
      if (!answer.headers.has('Cache-Control')) answer.headers.set('Cache-Control', 'no-store')
      return answer
    } catch (error) {
      // A tool that hung up in the middle of its upload is no fault of ours.
      if (!request.signal.aborted)
        await reportRequestError({
          error,
          method: request.method,
          routePath: patternOf(new URL(request.url).pathname, params),
          routeType: 'api',
        })
      return apiError(500, 'Hydrant failed to answer this. Its log says why.')
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
  const refusal = apiError(429, `Too many wrong tokens from this address. Try again in ${seconds} seconds.`)
  refusal.headers.set('Retry-After', String(seconds))
  return refusal
}

function scopesNeeded(needs: Definition<unknown>['needs']): readonly (TokenScope | null)[] {
  if (needs === null) return []
  return typeof needs === 'string' ? [needs] : scopesOf(needs.does)
}

/** A catch-all gives a list, which no route asks for. */
function readParams(given: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** `/api/0/organizations/[org]/releases/[version]`: what may be written down about a request. */
function patternOf(pathname: string, params: Record<string, string>): string {
  const names = new Map(Object.entries(params).map(([name, value]) => [value, `[${name}]`]))
  return pathname
    .split('/')
    .map(part => names.get(decodePart(part)) ?? part)
    .join('/')
}

/** Tools name an organization or a project by its slug or by its number. */
export function isNamed({ id, slug }: { id: number; slug: string }, name: string): boolean {
  return slug === name || String(id) === name
}

const maxBytes = 8 * 1024 * 1024 // the commits of a first release, with the files each of them changed

type ReadJson<Value> = { ok: true; value: Value } | { ok: false; status: 400 | 413; detail: string }

/** A request's JSON, never more of it than fits. An empty body is an empty object: some tools send none. */
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
  const place = issue?.path.join('.') || 'the body'
  return { ok: false, status: 400, detail: `${place}: ${issue?.message ?? 'is not valid'}` }
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no schema takes it: the answer is the schema's own 400
  }
}
