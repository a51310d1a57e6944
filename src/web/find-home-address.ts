import { headers } from 'next/headers'
import { findHomeMove } from './sentry-moves.ts'
import { findHome } from './viewer.ts'

/** Where a URL of Sentry without an organization leads, like `/issues/WEB-12/`: to the user's own. Null for any other URL. */
export async function findHomeAddress(): Promise<string | null> {
  const home = await findHome()
  return home ? findHomeMove((await headers()).get('x-hydrant-path') ?? '', home) : null
}
