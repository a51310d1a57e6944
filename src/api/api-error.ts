/** An error in Sentry's format. Its tools print `detail`. */
export function apiError(status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503 | 507, detail: string): Response {
  return Response.json({ detail }, { status, headers: { 'Cache-Control': 'no-store' } })
}

/** For a URL without a route. */
export function apiNotOffered(request: Request): Response {
  return apiError(404, `Hydrant does not offer ${request.method} ${new URL(request.url).pathname}.`)
}

/** The same for a missing resource and for one of another organization. */
export function apiNotFound(): Response {
  return apiError(404, 'The requested resource does not exist')
}

/** A release belongs to the organization, so its version can be taken by a project that the token does not see. */
export const hiddenVersion = (): Response =>
  apiError(409, 'This version belongs to a private project that this token does not see. Use another version.')
