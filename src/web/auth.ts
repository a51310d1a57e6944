import { getRuntime } from '#runtime.ts'
import { isControlMigrated } from '#store/control/migrate-control.ts'
import { loadSecret } from '#store/control/secret.ts'
import { isProviderUp } from './sso.ts'

const key = Symbol.for('hydrant.auth')
const holder = globalThis as { [key]?: ReturnType<typeof openAuth> }

export function getAuth() {
  holder[key] ??= openAuth().catch(resetAuth)
  return holder[key]
}

/** After a failure the next call tries again. */
function resetAuth(reason: unknown): never {
  delete holder[key]
  throw reason
}

/** For a provider that did not answer when better-auth was opened. */
export function reopenAuth() {
  delete holder[key]
  return getAuth()
}

/** Loaded on first use, because it takes a quarter of a second. */
async function openAuth() {
  const { createAuth } = await import('./create-auth.ts')
  const { config, control, clock } = getRuntime()
  // better-auth compares the tables once, and what is missing then stays missing until it is opened again.
  if (!(await isControlMigrated(control))) throw new Error('The control database is being migrated.')
  const { oidc } = config.providers
  const isOidcUp = oidc !== null && (await isProviderUp(oidc.issuer))
  const auth = createAuth({ config, control, secret: loadSecret(config), now: clock.now, isOidcUp })
  await auth.$context
  return auth
}

/** better-auth throws a 4xx error for a wrong password, code or email; others are errors of ours. */
export function isClientError(error: unknown): error is Error & { statusCode: number; body?: { code?: string } } {
  if (!(error instanceof Error) || !('statusCode' in error)) return false
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
}

/** The only paths of better-auth that are reachable from outside: where identity providers send people back to. */
export const mountedPaths = ['/callback/:id'] as const

/** Hands a request to better-auth. Call it only in a route whose path is mounted. */
export async function answerCallback(request: Request): Promise<Response> {
  const auth = await getAuth()
  return auth.handler(request)
}
