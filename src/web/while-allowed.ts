import type { Viewer } from '#domain/access/viewer.ts'
import { readLiveAccess } from '#domain/projects/live-access.ts'
import { getRuntime } from '#runtime.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { findSessionId } from './viewer.ts'

/** The reader signed out, was removed, or may not read the rest any longer. No error of ours. */
export class AccessEnded extends Error {
  override name = 'AccessEnded'
}

const checkMs = 1_000

/** Checks before each part, at most once a second, and throws `AccessEnded` instead of yielding what may no longer be read. */
export async function* whileAllowed<Part>(
  parts: AsyncGenerator<Part, void>,
  isAllowed: () => Promise<boolean>,
  now: () => number = () => performance.now(),
): AsyncGenerator<Part, void> {
  let checkedAt = now()
  try {
    for await (const part of parts) {
      if (now() - checkedAt >= checkMs) {
        if (!(await isAllowed())) throw new AccessEnded('The access to this file has ended.')
        checkedAt = now()
      }
      yield part
    }
  } finally {
    await parts.return()
  }
}

/** A role that may do this, and sight of these projects: all of the viewer's if none are named. */
type Wanted = { mayRead?(role: MemberRole): boolean; projectIds?: readonly number[] | undefined }
type Access = { role: MemberRole; hidden: ReadonlySet<number> }

export function stillAllows(
  access: Access | null,
  viewer: { projects: readonly { id: number }[] },
  { mayRead = () => true, projectIds }: Wanted,
): boolean {
  const read = projectIds ?? viewer.projects.map(({ id }) => id)
  return access !== null && mayRead(access.role) && !read.some(id => access.hidden.has(id))
}

/** Whether the session of this request goes on and still allows what is wanted. */
export async function sessionCheck(viewer: Viewer, wanted: Wanted): Promise<() => Promise<boolean>> {
  const { control, clock } = getRuntime()
  const member = {
    sessionId: (await findSessionId()) ?? '',
    userId: viewer.user.id,
    organizationId: viewer.organization.id,
  }
  return async () => stillAllows((await readLiveAccess(control, [member], clock.now()))(member), viewer, wanted)
}
