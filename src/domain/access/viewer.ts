import { createHash } from 'node:crypto'
import type { MemberRole } from '#store/control/schema.ts'
import { type ScopedControl, scopeControl } from '#store/control/scoped-control.ts'
import type { DeletedGroup } from '#store/telemetry/scope/deleted-groups.ts'
import { type ScopedTelemetry, scopeTelemetry } from '#store/telemetry/scope/scoped-telemetry.ts'
import { keepStores, type Stores, unscopedStores } from './unscoped-stores.ts'

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

type ScopedStores = {
  readonly control: ScopedControl
  readonly telemetry: ScopedTelemetry
}

/**
 * A signed-in member of an organization or the bearer of one of its tokens, with the stores as far as they may read them. Only the
 * guards (web/viewer.ts for pages, api/find-api-viewer.ts for tokens) create one, and every query needs one: an unscoped read does
 * not compile, or is refused.
 *
 * A class with a private field, because a spread copy of one is not a `Viewer`: nothing can replace the projects without the stores
 * and the cache keys that belong to them.
 */
export class Viewer implements Identity, ScopedStores {
  readonly user: Identity['user']
  readonly organization: Identity['organization']
  readonly role: MemberRole
  readonly projects: readonly ViewerProject[]
  readonly hiddenProjectIds: readonly number[]
  readonly now: number
  readonly control: ScopedControl
  readonly telemetry: ScopedTelemetry
  /** Names all that decides which rows it may read. Part of the key of every cached query. */
  readonly scopeKey: string
  // Not `#identity`: Next bundles several copies of this module, and one could not read what another has made.
  private readonly identity: Identity

  constructor(identity: Identity, { control, telemetry }: ScopedStores) {
    const { user, organization, role, projects, hiddenProjectIds = [], now } = identity
    this.identity = identity
    this.user = user
    this.organization = organization
    this.role = role
    this.projects = projects
    this.hiddenProjectIds = hiddenProjectIds
    this.now = now
    this.control = control
    this.telemetry = telemetry
    this.scopeKey = hashScope([organization.id, projectIds(this), hiddenProjectIds])
  }

  static identityOf = (viewer: Viewer): Identity => viewer.identity
}

/** Short, because a viewer can have a thousand projects. */
const hashScope = (scope: unknown): string => createHash('sha256').update(JSON.stringify(scope)).digest('base64url')

/** Call it only in a guard that has checked who it is: a test lists the callers. */
export function createViewer(identity: Identity, stores: Stores): Viewer {
  const { organization, projects, hiddenProjectIds = [] } = identity
  const ids = projects.map(({ id }) => id)
  const control = scopeControl(stores.control.db, {
    organizationId: organization.id,
    projectIds: ids,
    hiddenProjectIds,
  })
  const telemetry = scopeTelemetry(stores.telemetry, ids, () => readDeletedGroups(control), {
    organization: organization.id,
    member: identity.user.id,
  })
  return keepStores(new Viewer(identity, { control, telemetry }), stores)
}

/** The same viewer with fewer projects: it reads the same data as a member who has only these. Ids outside its scope are ignored. */
export function narrowViewer(viewer: Viewer, chosen: readonly number[]): Viewer {
  const projects = viewer.projects.filter(({ id }) => chosen.includes(id))
  if (projects.length === viewer.projects.length) return viewer
  const cutAway = projectIds(viewer).filter(id => !chosen.includes(id))
  const hiddenProjectIds = [...viewer.hiddenProjectIds, ...cutAway]
  return createViewer({ ...Viewer.identityOf(viewer), projects, hiddenProjectIds }, unscopedStores(viewer))
}

/** The same at another time. */
export const viewerAt = (viewer: Viewer, now: number): Viewer =>
  keepStores(new Viewer({ ...Viewer.identityOf(viewer), now }, viewer), unscopedStores(viewer))

/**
 * The same viewer, whose queries of one turn are one statement. For pages that know what they need before they have any of it. `late` is
 * for what is shown last.
 */
export function withJoinedReads(viewer: Viewer): { soon: Viewer; late: Viewer } {
  const { soon, late } = viewer.telemetry.joined()
  const reading = (telemetry: ScopedTelemetry) =>
    keepStores(new Viewer(Viewer.identityOf(viewer), { control: viewer.control, telemetry }), unscopedStores(viewer))
  return { soon: reading(soon), late: reading(late) }
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
