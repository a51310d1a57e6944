import type { CommandContext } from './command-context.ts'
import { type CreateProjectKeyResult, createProjectKey } from './create-project-key.ts'

export type EnsureProjectKeyResult = CreateProjectKeyResult | { ok: false; code: 'key_disabled' }
type Wanted = { projectId: number; publicKey?: string | undefined }

/** The key that was asked for, else the project's oldest active one, else a new one. */
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
