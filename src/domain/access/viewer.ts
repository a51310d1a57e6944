import type { Control } from '#store/control/control.ts'
import type { MemberRole } from '#store/control/schema.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

declare const made: unique symbol

export type ViewerProject = { id: number; slug: string; name: string; isInternal: boolean }

/**
 * A signed-in member of one organization or the bearer of one of its tokens, and the stores as far as they may look. Only the guards
 * (web/viewer.ts for pages, web/api for tools) can make one, and every query asks for one: an unscoped read does not compile.
 */
export type Viewer = {
  readonly [made]: true
  readonly user: { id: string; name: string; email: string }
  readonly organization: { id: number; slug: string; name: string }
  readonly role: MemberRole
  readonly projects: readonly ViewerProject[]
  readonly control: Control
  readonly telemetry: Telemetry
  readonly now: number
}

/** What the viewer may see. Never empty: an `in ()` is no SQL, and no project has the id 0. */
export function projectIds(viewer: Viewer): number[] {
  return viewer.projects.length === 0 ? [0] : viewer.projects.map(project => project.id)
}

/** The scopes of a token as its row keeps them. */
export function readScopes(text: string): string[] {
  const scopes: unknown = JSON.parse(text)
  return Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : []
}

/** One id of the scope, or none: an id from an address never widens what the viewer may see. */
export function within(scope: number[], id: number): number[] {
  return scope.includes(id) ? [id] : [0]
}
