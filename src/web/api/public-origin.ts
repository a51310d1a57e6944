import { getRuntime } from '#runtime.ts'

/**
 * Where the asking tool reaches us. A configured address wins; without one it is the address that the tool itself has used, because
 * `localhost` would be another machine for a build that runs elsewhere.
 */
export function publicOrigin(request: Request): string {
  const { publicUrl, port } = getRuntime().config
  const host = request.headers.get('x-forwarded-host')
  if (publicUrl !== `http://localhost:${port}` || !host) return publicUrl
  return `${request.headers.get('x-forwarded-proto') ?? 'http'}://${host}`
}
