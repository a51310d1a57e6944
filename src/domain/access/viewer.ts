import type { MemberRole } from '#store/control/schema.ts'
import { type ScopedControl, scopeControl } from '#store/control/scoped-control.ts'
import type { DeletedGroup } from '#store/telemetry/scope/deleted-groups.ts'
import { type ScopedTelemetry, scopeTelemetry } from '#store/telemetry/scope/scoped-telemetry.ts'
import { keepStores, type Stores } from './unscoped-stores.ts'

declare const made: unique symbol

export type ViewerProject = {
  id: number
  slug: string
  name: string
  isInternal: boolean
  /** Only owners, admins and its teams see it. */
  isPrivate?: boolean
  /** Slugs that it had, whose addresses still lead to it. */
  formerSlugs?: readonly string[]
}

type Identity = {
  readonly user: { id: string; name: string; email: string }
  readonly organization: { id: number; slug: string; name: string }
  readonly role: MemberRole
  readonly projects: readonly ViewerProject[]
  /** Private projects of the organization that the viewer may not see. */
  readonly hiddenProjectIds?: readonly number[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * A signed-in member of an organization or the bearer of one of its tokens, with the stores as far as they may read them. Only the
 * guards (web/viewer.ts for pages, api/find-api-viewer.ts for tokens) create one, and every query needs one: an unscoped read does
 * not compile, or is refused.
 */
export type Viewer = Identity & {
  readonly [made]: true
  readonly control: ScopedControl
  readonly telemetry: ScopedTelemetry
}

/** Call it only in a guard that has checked who it is: a test lists the callers. */
export function createViewer(identity: Identity, stores: Stores): Viewer {
  const projectIds = identity.projects.map(({ id }) => id)
  const control = scopeControl(stores.control.db, {
    organizationId: identity.organization.id,
    projectIds,
    hiddenProjectIds: identity.hiddenProjectIds ?? [],
  })
  const viewer: Omit<Viewer, typeof made> = {
    ...identity,
    control,
    telemetry: scopeTelemetry(stores.telemetry, projectIds, () => readDeletedGroups(control)),
  }
  return keepStores(viewer as Viewer, stores)
}

/**
 * The same viewer, whose queries of one turn are one statement. For pages that know what they need before they have any of it. `late` is
 * for what is shown last.
 */
export function withJoinedReads(viewer: Viewer): { soon: Viewer; late: Viewer } {
  const { soon, late } = viewer.telemetry.joined()
  return { soon: { ...viewer, telemetry: soon }, late: { ...viewer, telemetry: late } }
}

/** A parameter of a query takes some 3,000 of them. The rest stays in sums over all events until it is purged. */
const maxDeletedGroups = 3_000

async function readDeletedGroups(control: ScopedControl): Promise<DeletedGroup[]> {
  const rows = await control
    .deletedHashes()
    .select(['project_id', 'group_hash', 'deleted_at'])
    .orderBy('deleted_at', 'desc')
    .limit(maxDeletedGroups)
    .execute()
  return rows.map(row => ({ projectId: row.project_id, hash: row.group_hash, deletedAt: row.deleted_at }))
}

/** The projects that the viewer may see, for cache keys and for the scope of commands. */
export const projectIds = (viewer: Pick<Viewer, 'projects'>): number[] => viewer.projects.map(({ id }) => id)

/** Parses the stored scopes of a token. */
export function readScopes(text: string): string[] {
  const scopes: unknown = JSON.parse(text)
  return Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : []
}
