import { apiError, apiNotOffered } from './api-error.ts'
import { callRoute } from './call-route.ts'
import { createPathMatcher } from './match-path.ts'
import { type Method, type Route, route } from './route.ts'
import { routes } from './routes.ts'

type Methods = ReadonlyMap<string, Route>

/** The routes of one path, by method. */
const byMethod = (rows: readonly Route[]): Methods => new Map(rows.map(row => [row.method, row]))
const matchPath = createPathMatcher(
  Array.from(
    Map.groupBy(routes, ({ pattern }) => pattern),
    ([pattern, rows]) => [pattern, byMethod(rows)] as const,
  ),
)

const everyMethod: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** JSON for unknown paths, because tools can print it but not an HTML page. */
const unknownPath = byMethod(
  everyMethod.map(method => route(method, '/api/0/[...path]', null, async ({ request }) => apiNotOffered(request))),
)

/** Answers a request to `/api/0`: finds its route in the table and calls it. */
export async function routeApiRequest(request: Request): Promise<Response> {
  const found = matchPath(new URL(request.url).pathname)
  if (found === 'malformed') return apiError(400, 'The path is not valid percent-encoding.')
  const { value: methods, params } = found ?? { value: unknownPath, params: {} }
  if (request.method === 'OPTIONS')
    return new Response(null, { status: 204, headers: { Allow: allowedMethods(methods) } })
  const called = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
  // The web process adds the JSON body, as for every route below /api.
  if (called === undefined) return new Response(null, { status: 405, headers: { Allow: allowedMethods(methods) } })
  return callRoute(called, request, params)
}

function allowedMethods(methods: Methods): string {
  return ['OPTIONS', ...(methods.has('GET') ? ['HEAD'] : []), ...methods.keys()].sort().join(', ')
}
