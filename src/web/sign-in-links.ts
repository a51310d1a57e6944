import { headers } from 'next/headers'
import { spendOneTimeToken } from '#domain/sign-in/one-time-token.ts'
import { getAuth } from './auth.ts'
import { noteSignIn } from './sign-in.ts'
import { webContext } from './web-context.ts'

/** Null if the link has been used or is too old. With `needsCode` there is no session yet. */
export async function signInByLink(token: string): Promise<{ needsCode: boolean } | null> {
  const used = await spendOneTimeToken(webContext(), { purpose: 'link', token })
  if (!used?.userId) return null
  return startSession({ userId: used.userId, method: 'link', secondFactor: false })
}

type Start = { userId: string; method: string; secondFactor: boolean }

/** Signs in without a password. An account with an authenticator app is asked for its code first. */
export async function startSession(start: Start): Promise<{ needsCode: boolean }> {
  const auth = await getAuth()
  const started = await auth.api.startSession({ body: start, headers: await headers() })
  if (!started.needsCode) await noteSignIn(start.userId, start.method)
  return started
}
