import type { CommandContext } from '#domain/access/command-context.ts'
import { getRuntime } from '#runtime.ts'

/** For commands of the web process. `actor` is `user:<id>`, or `web` before anyone has signed in. */
export function webContext(actor = 'web'): CommandContext {
  const { control, clock } = getRuntime()
  return { db: control.db, actor, now: clock.now }
}
