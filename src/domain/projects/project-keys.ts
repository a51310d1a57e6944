import { randomBytes } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { trimEndOf } from '#lib/text.ts'
import { scopeControl } from '#store/control/scoped-control.ts'

type NewProjectKey = {
  organizationId: number
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
    const { organizationId, projectId } = given
    const control = scopeControl(inner.db, { organizationId, projectIds: [projectId] })
    const project = await control.projects().select('id').executeTakeFirst()
    if (project === undefined) return { ok: false, code: 'project_not_found' }
    const row = await inner.db
      .insertInto('project_key')
      .values({
        project_id: projectId,
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
      organizationId,
      action: 'project_key.create',
      target: `project_key:${row.id}`,
      detail: { project: projectId },
    })
    return { ok: true, key: { id: row.id, publicKey } }
  })
}

export type EnsureProjectKeyResult = CreateProjectKeyResult | { ok: false; code: 'key_disabled' }
type Wanted = { organizationId: number; projectId: number; publicKey?: string | undefined }

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

type SwitchProjectKey = { organizationId: number; projectId: number; keyId: number; isActive: boolean }
type SwitchProjectKeyResult = { ok: true } | { ok: false; code: 'key_not_found' }

/** Enables or disables a key. Finds only keys of this project. */
export function switchProjectKey(
  context: CommandContext,
  { organizationId, projectId, keyId, isActive }: SwitchProjectKey,
): Promise<SwitchProjectKeyResult> {
  return inTransaction<SwitchProjectKeyResult>(context, async inner => {
    const control = scopeControl(inner.db, { organizationId, projectIds: [projectId] })
    const key = await control
      .projects()
      .innerJoin('project_key', 'project_key.project_id', 'project.id')
      .select('project_key.is_active')
      .where('project_key.id', '=', keyId)
      .executeTakeFirst()
    if (key === undefined) return { ok: false, code: 'key_not_found' }
    const flag = isActive ? 1 : 0
    if (key.is_active === flag) return { ok: true }
    await inner.db.updateTable('project_key').set({ is_active: flag }).where('id', '=', keyId).execute()
    await writeAudit(inner, {
      organizationId,
      action: isActive ? 'project_key.enable' : 'project_key.disable',
      target: `project_key:${keyId}`,
      detail: { project: projectId },
    })
    return { ok: true }
  })
}

/** The keys of one or all projects, oldest first, because apps usually have the oldest. */
export async function listProjectKeys(viewer: Viewer, projectId?: number) {
  const rows = await viewer.control
    .within(projectId === undefined ? undefined : [projectId])
    .projectKeys()
    .select(['id', 'project_id', 'public_key', 'label', 'is_active', 'created_at'])
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

/** `projectDsn('https://errors.acme.dev', key, 12)` is the DSN for an SDK. A path in the public URL stays before the id. */
export function projectDsn(publicUrl: string, publicKey: string, projectId: number): string {
  const { protocol, host, pathname } = new URL(publicUrl)
  return `${protocol}//${publicKey}@${host}${trimEndOf(pathname, '/')}/${projectId}`
}

/** Where a Vercel log drain sends the logs of a project. */
export function drainAddress(publicUrl: string, { publicKey, projectId }: Pick<ProjectKey, 'publicKey' | 'projectId'>) {
  const base = trimEndOf(publicUrl, '/')
  return `${base}/api/${projectId}/integration/vercel/logs?sentry_key=${publicKey}`
}
