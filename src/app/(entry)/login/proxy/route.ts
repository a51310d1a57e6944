import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { inTransaction } from '#domain/access/command-context.ts'
import { findUser } from '#domain/sign-in/login-link.ts'
import { verifyAddress } from '#domain/sign-in/verify-address.ts'
import { getRuntime } from '#runtime.ts'
import { readProxyEmail } from '#web/proxy-auth.ts'
import { codePath, endedPath, safePath } from '#web/safe-path.ts'
import { startSession } from '#web/sign-in-links.ts'
import { webContext } from '#web/web-context.ts'

/** Starts a session for the member whom the proxy in front of Hydrant has signed in. Nobody else reaches it. */
export async function GET(request: Request): Promise<Response> {
  const email = readProxyEmail(await headers(), getRuntime().config)
  if (email === null) notFound()
  const user = await findUser(webContext(), email)
  if (user === undefined) redirect('/login?error=proxy_unknown')
  const next = safePath(new URL(request.url).searchParams.get('next'))
  const ended = await proveAddress(user.id)
  const { needsCode } = await startSession({ userId: user.id, method: 'proxy' })
  redirect(needsCode ? codePath(next) : ended === null ? next : endedPath(next))
}

/** The proxy vouches for the address. */
async function proveAddress(userId: string) {
  const proven = await inTransaction(webContext(`user:${userId}`), async inner => ({
    ok: true,
    ended: await verifyAddress(inner, { userId, by: 'proxy' }),
  }))
  return proven.ended
}
