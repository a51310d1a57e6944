/** What the browser helper attaches to a hydration error: the place of the first difference, as the server sent it and as React drew it. */
import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'

export const hydrationContextName = 'hydrant_hydration'

export type HydrationFragments = {
  server: string
  client: string
  /** The elements from the outside to the difference: `body > main > p`. */
  path: string
}

/** Null where the helper was not there, or saw no difference. */
export function readFragments(event: StoredEvent): HydrationFragments | null {
  const context = event.contexts[hydrationContextName]
  if (context === undefined) return null
  const [server, client] = [textOf(context.server), textOf(context.client)]
  return server === client ? null : { server, client, path: textOf(context.path) }
}
