/** A refusal in the form that Sentry's tools print: they show `detail` to whoever runs them. */
export function apiError(status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 507, detail: string): Response {
  return Response.json({ detail }, { status, headers: { 'Cache-Control': 'no-store' } })
}

/** For an address that no route has. */
export function apiNotOffered(request: Request): Response {
  return apiError(404, `Hydrant does not offer ${request.method} ${new URL(request.url).pathname}.`)
}

/** The same for a thing that is not there and for one that is somebody else's. */
export function apiNotFound(): Response {
  return apiError(404, 'The requested resource does not exist')
}
