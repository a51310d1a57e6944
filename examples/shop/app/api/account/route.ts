/** Refuses as an app does: 401 to nobody, 403 to somebody who may not. */
export function GET(request: Request): Response {
  const visitor = new URL(request.url).searchParams.get('as')
  return new Response(null, { status: visitor === null ? 401 : 403 })
}
