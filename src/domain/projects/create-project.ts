import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { findSlugFault, maxSlugChars, type SlugFault } from '#lib/slug.ts'
import { trimEndOf } from '#lib/text.ts'
import { freeFormerSlug } from './change-project.ts'
import { createProjectKey } from './project-keys.ts'

type NewProject = {
  organizationId: number
  slug: string
  name?: string | undefined
  platform?: string | undefined
  /** The id of an existing DSN, to keep it working after a migration. */
  id?: number | undefined
  isInternal?: boolean | undefined
}
export type CreateProjectResult =
  | { ok: true; project: { id: number; slug: string } }
  | {
      ok: false
      code: SlugFault | 'slug_taken' | 'project_id_invalid' | 'project_id_taken' | 'organization_not_found'
    }

export function createProject(context: CommandContext, given: NewProject): Promise<CreateProjectResult> {
  return inTransaction<CreateProjectResult>(context, async inner => {
    const { organizationId, slug } = given
    const fault = findSlugFault(slug, 'project')
    if (fault !== null) return { ok: false, code: fault }
    if (given.id !== undefined && !isProjectId(given.id)) return { ok: false, code: 'project_id_invalid' }
    if (!(await exists(inner, organizationId))) return { ok: false, code: 'organization_not_found' }
    const id = given.id ?? (await nextProjectId(inner))
    const row = await inner.db
      .insertInto('project')
      .values({
        id,
        organization_id: organizationId,
        slug,
        name: given.name?.trim() || slug,
        platform: given.platform ?? '',
        is_internal: given.isInternal ? 1 : 0,
        last_issue_number: 0,
        first_event_at: null,
        created_at: inner.now(),
      })
      .onConflict(conflict => conflict.doNothing())
      .returning(['id', 'slug'])
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: await findCollision(inner, id) }
    await freeFormerSlug(inner, organizationId, slug)
    await writeAudit(inner, { organizationId, action: 'project.create', target: `project:${id}`, detail: { slug } })
    return { ok: true, project: row }
  })
}

const mostSuffixes = 100

/**
 * Takes the first free slug: `shop`, `shop-2`, `shop-3`. A refusal would tell a member that a project which they may not see has the
 * name. A deleted one has it too, and one that they see, so that a suffix proves nothing (0120).
 */
export async function createNamedProject(
  context: CommandContext,
  { slug, ...given }: NewProject,
): Promise<CreateProjectResult> {
  let result = await createProject(context, { ...given, slug })
  for (let number = 2; !result.ok && result.code === 'slug_taken' && number <= mostSuffixes; number++) {
    const suffix = `-${number}`
    const base = trimEndOf(slug.slice(0, maxSlugChars - suffix.length), '-')
    result = await createProject(context, { ...given, slug: base + suffix })
  }
  return result
}

/** Sentry's ids have 16 digits and fit. */
function isProjectId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0
}

async function exists({ db }: CommandContext, organizationId: number): Promise<boolean> {
  const row = await db.selectFrom('organization').select('id').where('id', '=', organizationId).executeTakeFirst()
  return row !== undefined
}

async function findCollision({ db }: CommandContext, id: number): Promise<'project_id_taken' | 'slug_taken'> {
  const other = await db.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst()
  return other === undefined ? 'slug_taken' : 'project_id_taken'
}

export type EnsureProjectResult = CreateProjectResult | { ok: false; code: 'project_id_differs' | 'project_deleted' }

/** Finds or creates the project with this slug. A given id must match, or its DSN would not work. */
export async function ensureProject(inner: CommandContext, given: NewProject): Promise<EnsureProjectResult> {
  const present = await inner.db
    .selectFrom('project')
    .select(['id', 'slug', 'deleted_at'])
    .where('organization_id', '=', given.organizationId)
    .where('slug', '=', given.slug)
    .executeTakeFirst()
  if (present === undefined) return createProject(inner, given)
  if (present.deleted_at !== null) return { ok: false, code: 'project_deleted' }
  if (given.id !== undefined && given.id !== present.id) return { ok: false, code: 'project_id_differs' }
  return { ok: true, project: { id: present.id, slug: present.slug } }
}

const internalSlugs = ['hydrant', 'hydrant-internal']

/** Creates the project for Hydrant's own errors: one per installation, in its first organization. */
export async function ensureInternalProject(inner: CommandContext, organizationId: number): Promise<void> {
  const present = await inner.db.selectFrom('project').select('id').where('is_internal', '=', 1).executeTakeFirst()
  if (present !== undefined) return
  for (const slug of internalSlugs) {
    const made = await createProject(inner, { organizationId, slug, platform: 'javascript-nextjs', isInternal: true })
    if (!made.ok) continue
    const key = await createProjectKey(inner, { organizationId, projectId: made.project.id })
    if (!key.ok) throw new Error(`Couldn't create a key for the internal project: ${key.code}`)
    return
  }
  throw new Error(`Couldn't create the internal project: the slugs ${internalSlugs.join(' and ')} are taken.`)
}

/**
 * Project ids have their own counter: a team that migrates keeps the ids of its DSNs, and a database sequence would collide with
 * them or jump beyond them. The counter's row is locked until the transaction ends.
 */
async function nextProjectId({ db }: CommandContext): Promise<number> {
  await db
    .insertInto('setting')
    .values({ name: 'last_project_id', value: '0' })
    .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ value: eb.ref('setting.value') })))
    .execute()
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'last_project_id')
    .executeTakeFirstOrThrow()
  let id = Number(value) + 1
  while (await isTaken(db, id)) id++
  await db
    .updateTable('setting')
    .set({ value: String(id) })
    .where('name', '=', 'last_project_id')
    .execute()
  return id
}

async function isTaken(db: CommandContext['db'], id: number): Promise<boolean> {
  return (await db.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

type NewOrganization = { slug: string; name?: string | undefined }
export type CreateOrganizationResult =
  | { ok: true; organization: { id: number; slug: string } }
  | { ok: false; code: SlugFault | 'slug_taken' }

export function createOrganization(
  context: CommandContext,
  { slug, name }: NewOrganization,
): Promise<CreateOrganizationResult> {
  return inTransaction<CreateOrganizationResult>(context, async inner => {
    const fault = findSlugFault(slug, 'organization')
    if (fault !== null) return { ok: false, code: fault }
    const row = await inner.db
      .insertInto('organization')
      .values({ slug, name: name?.trim() || slug, created_at: inner.now() })
      .onConflict(conflict => conflict.doNothing())
      .returning(['id', 'slug'])
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'slug_taken' }
    await writeAudit(inner, {
      organizationId: row.id,
      action: 'organization.create',
      target: `organization:${row.id}`,
      detail: { slug },
    })
    return { ok: true, organization: row }
  })
}

/** Makes concurrent setups run one after the other. Locked until the transaction ends. */
export async function lockInstallation({ db, now }: CommandContext): Promise<void> {
  await db
    .insertInto('setting')
    .values({ name: 'set_up_at', value: String(now()) })
    .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ value: eb.ref('setting.value') })))
    .execute()
}
