import type { Control } from '#store/control/control.ts'
import type { MemberRole } from '#store/control/schema.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

declare const made: unique symbol

export type ViewerProject = { id: number; slug: string; name: string; isInternal: boolean }

/**
 * A signed-in member of an organization or the bearer of one of its tokens, with the stores they may read. Only the guards
 * (web/viewer.ts for pages, api/find-api-viewer.ts for tokens) can create one, and every query needs one: an unscoped read does not
 * compile.
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

/** The projects that the viewer may see. Never empty, because `in ()` is invalid SQL; no project has the id 0. */
export function projectIds(viewer: Viewer): number[] {
  return viewer.projects.length === 0 ? [0] : viewer.projects.map(project => project.id)
}

/** Parses the stored scopes of a token. */
export function readScopes(text: string): string[] {
  const scopes: unknown = JSON.parse(text)
  return Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : []
}

/** Restricts a scope to one id. An id from a URL never widens what the viewer may see. */
export function within(scope: number[], id: number): number[] {
  return scope.includes(id) ? [id] : [0]
}
