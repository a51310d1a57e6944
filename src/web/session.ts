import { headers } from 'next/headers'
import { cache } from 'react'
import { getAuth } from './auth.ts'

export type SignedIn = { id: string; name: string; email: string }

/** Who sent this request, asked once per request however many components want to know. */
export const findSignedIn = cache(async (): Promise<SignedIn | null> => {
  const session = await getAuth().api.getSession({ headers: await headers() })
  if (!session) return null
  const { id, name, email } = session.user
  return { id, name, email }
})
