import { headers } from 'next/headers'
import { findDefaultOrganization } from '#domain/members/find-membership.ts'
import { getRuntime } from '#runtime.ts'
import { findHomeMove } from './sentry-moves.ts'
import { findSignedIn } from './viewer.ts'

/** Where a URL of Sentry without an organization leads, like `/issues/WEB-12/`: to the user's own. Null for any other URL. */
export async function findHomeAddress(): Promise<string | null> {
  const user = await findSignedIn()
  const home = user && (await findDefaultOrganization(getRuntime().control, user.id))
  return home ? findHomeMove((await headers()).get('x-hydrant-path') ?? '', home) : null
}
