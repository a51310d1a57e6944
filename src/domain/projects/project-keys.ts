import { randomBytes } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { projectIds, type Viewer, within } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { trimEndOf } from '#lib/text.ts'
import type { Control } from '#store/control/control.ts'

type NewProjectKey = {
  projectId: number
  label?: string | undefined
  /** The key of an existing DSN, to keep it working after a migration: 32 hex digits. */
  publicKey?: string | undefined
}
type CreateProjectKeyResult =
  | { ok: true; key: { id: number; publicKey: string } }
  | { ok: false; code: 'key_invalid' | 'key_taken' | 'project_not_found' }

export function createProjectKey(context: CommandContext, given: NewProjectKey): Promise<CreateProjectKeyResult> {
  return inTransaction<CreateProjectKeyResult>(context, async inner => {
    const publicKey = given.publicKey ?? randomBytes(16).toString('hex')
    if (!/^[0-9a-f]{32}$/.test(publicKey)) return { ok: false, code: 'key_invalid' }
    const project = await inner.db
      .selectFrom('project')
      .select('organization_id')
      .where('id', '=', given.projectId)
      .executeTakeFirst()
    if (project === undefined) return { ok: false, code: 'project_not_found' }
    const row = await inner.db
      .insertInto('project_key')
      .values({
        project_id: given.projectId,
        public_key: publicKey,
        label: given.label?.trim() || 'Default',
        is_active: 1,
        events_per_minute: 0,
        created_at: inner.now(),
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'key_taken' }
    await writeAudit(inner, {
      organizationId: project.organization_id,
      action: 'project_key.create',
      target: `project_key:${row.id}`,
      detail: { project: given.projectId },
    })
    return { ok: true, key: { id: row.id, publicKey } }
  })
}

export type EnsureProjectKeyResult = CreateProjectKeyResult | { ok: false; code: 'key_disabled' }
type Wanted = { projectId: number; publicKey?: string | undefined }

/** The given key, else the project's oldest active one, else a new one. */
export async function ensureProjectKey(inner: CommandContext, wanted: Wanted): Promise<EnsureProjectKeyResult> {
  const present = await findKey(inner, wanted)
  if (present === undefined) return createProjectKey(inner, wanted)
  if (present.project_id !== wanted.projectId) return { ok: false, code: 'key_taken' }
  if (present.is_active === 0) return { ok: false, code: 'key_disabled' }
  return { ok: true, key: { id: present.id, publicKey: present.public_key } }
}

function findKey({ db }: CommandContext, { projectId, publicKey }: Wanted) {
  const keys = db
    .selectFrom('project_key')
    .select(['id', 'project_id', 'public_key', 'is_active'])
    .orderBy('id')
    .limit(1)
  if (publicKey !== undefined) return keys.where('public_key', '=', publicKey).executeTakeFirst()
  return keys.where('project_id', '=', projectId).where('is_active', '=', 1).executeTakeFirst()
}

type SwitchProjectKeyResult = { ok: true } | { ok: false; code: 'key_not_found' }

/** Enables or disables a key. Finds only keys of this project. */
export function switchProjectKey(
  context: CommandContext,
  { projectId, keyId, isActive }: { projectId: number; keyId: number; isActive: boolean },
): Promise<SwitchProjectKeyResult> {
  return inTransaction<SwitchProjectKeyResult>(context, async inner => {
    const key = await inner.db
      .selectFrom('project_key')
      .innerJoin('project', 'project.id', 'project_key.project_id')
      .select(['project.organization_id', 'project_key.is_active'])
      .where('project_key.id', '=', keyId)
      .where('project_key.project_id', '=', projectId)
      .executeTakeFirst()
    if (key === undefined) return { ok: false, code: 'key_not_found' }
    const flag = isActive ? 1 : 0
    if (key.is_active === flag) return { ok: true }
    await inner.db.updateTable('project_key').set({ is_active: flag }).where('id', '=', keyId).execute()
    await writeAudit(inner, {
      organizationId: key.organization_id,
      action: isActive ? 'project_key.enable' : 'project_key.disable',
      target: `project_key:${keyId}`,
      detail: { project: projectId },
    })
    return { ok: true }
  })
}

/** The keys of one or all projects, oldest first, because apps usually have the oldest. */
export async function listProjectKeys(viewer: Viewer, projectId?: number) {
  const scope = projectIds(viewer)
  const rows = await viewer.control.db
    .selectFrom('project_key')
    .select(['id', 'project_id', 'public_key', 'label', 'is_active', 'created_at'])
    .where('project_id', 'in', projectId === undefined ? scope : within(scope, projectId))
    .orderBy('project_id')
    .orderBy('id')
    .limit(1_000)
    .execute()
  return rows.map(row => ({
    id: row.id,
    projectId: row.project_id,
    publicKey: row.public_key,
    label: row.label,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
  }))
}

export type ProjectKey = Awaited<ReturnType<typeof listProjectKeys>>[number]

/** The key for Hydrant's own errors. */
export async function findInternalKey({ db }: Control): Promise<{ projectId: number; publicKey: string } | null> {
  const row = await db
    .selectFrom('project')
    .innerJoin('project_key', 'project_key.project_id', 'project.id')
    .select(['project.id as projectId', 'project_key.public_key as publicKey'])
    .where('project.is_internal', '=', 1)
    .where('project_key.is_active', '=', 1)
    .orderBy('project_key.id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** `projectDsn('https://errors.acme.dev', key, 12)` is the DSN for an SDK. A path in the public URL stays before the id. */
export function projectDsn(publicUrl: string, publicKey: string, projectId: number): string {
  const { protocol, host, pathname } = new URL(publicUrl)
  return `${protocol}//${publicKey}@${host}${trimEndOf(pathname, '/')}/${projectId}`
}
