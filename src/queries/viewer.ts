import type { Control } from '#store/control/control.ts'
import type { MemberRole } from '#store/control/schema.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

declare const made: unique symbol

export type ViewerProject = { id: number; slug: string; name: string; isInternal: boolean }

/**
 * A signed-in member of one organisation or the bearer of one of its tokens, and the stores as far as they may look. Only the guards
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
