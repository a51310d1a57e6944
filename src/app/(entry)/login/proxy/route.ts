import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { findUser } from '#domain/sign-in/login-link.ts'
import { getRuntime } from '#runtime.ts'
import { readProxyEmail } from '#web/proxy-auth.ts'
import { codePath, safePath } from '#web/safe-path.ts'
import { startSession } from '#web/sign-in-links.ts'
import { webContext } from '#web/web-context.ts'

/** Starts a session for the member whom the proxy in front of Hydrant has signed in. Nobody else reaches it. */
export async function GET(request: Request): Promise<Response> {
  const email = readProxyEmail(await headers(), getRuntime().config)
  if (email === null) notFound()
  const user = await findUser(webContext(), email)
  if (user === undefined) redirect('/login?error=proxy_unknown')
  const next = safePath(new URL(request.url).searchParams.get('next'))
  const { needsCode } = await startSession({ userId: user.id, method: 'proxy', secondFactor: false })
  redirect(needsCode ? codePath(next) : next)
}
