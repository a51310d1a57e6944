import { headers } from 'next/headers'
import { cache } from 'react'
import { getAuth, hasSessionCookie } from './auth.ts'

export type SignedIn = { id: string; name: string; email: string }

/** Who sent this request, asked once per request however many components want to know. */
export const findSignedIn = cache(async (): Promise<SignedIn | null> => {
  const given = await headers()
  if (!hasSessionCookie(given)) return null
  const auth = await getAuth()
  const session = await auth.api.getSession({ headers: given })
  if (!session) return null
  const { id, name, email } = session.user
  return { id, name, email }
})
