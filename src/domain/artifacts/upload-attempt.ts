import type { CommandContext } from '#domain/access/command-context.ts'
import type { UploadState } from '#store/control/schema.ts'

export type Upload = {
  organizationId: number
  checksum: string
  chunks: readonly string[]
  projectIds: readonly number[]
  release: string
  dist: string
}
export type UploadStep = 'chunks' | 'checksum' | 'archive' | 'manifest' | 'store'

/** The process that assembles an upload renews its claim; without renewal another one may take over. */
const abandonedAfterMs = 30_000
const renewEveryMs = 5_000
const stuckAfterMs = 10 * 60_000 // the work may hang while its process lives on

/** Claims an upload for this process. One row decides for all nodes. */
export async function claimAttempt({ db, now }: CommandContext, upload: Upload): Promise<boolean> {
  const at = now()
  const row = {
    organization_id: upload.organizationId,
    checksum: upload.checksum,
    state: 'assembling' as const,
    step: 'chunks',
    detail: '',
    release: upload.release,
    dist: upload.dist,
    projects: JSON.stringify(upload.projectIds),
    at,
  }
  const { organization_id: _, checksum: __, ...fresh } = row
  const claimed = await db
    .insertInto('upload_attempt')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['organization_id', 'checksum'])
        .doUpdateSet(fresh)
        .where(where =>
          where.or([
            where('upload_attempt.state', '!=', 'assembling'),
            where('upload_attempt.at', '<', at - abandonedAfterMs),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Renews the claim while the work runs. */
export async function whileClaimed<Value>(
  context: CommandContext,
  upload: Upload,
  work: () => Promise<Value>,
): Promise<Value> {
  const begun = performance.now()
  const timer = setInterval(() => {
    if (performance.now() - begun < stuckAfterMs) void renewAttempt(context, upload).catch(() => undefined) // the next renewal may succeed
  }, renewEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

export async function renewAttempt({ db, now }: CommandContext, { organizationId, checksum }: Upload): Promise<void> {
  await db
    .updateTable('upload_attempt')
    .set({ at: now() })
    .where('organization_id', '=', organizationId)
    .where('checksum', '=', checksum)
    .where('state', '=', 'assembling')
    .execute()
}

export async function endAttempt(
  { db, now }: CommandContext,
  { organizationId, checksum }: Upload,
  end: { state: UploadState; step: UploadStep; detail: string },
): Promise<void> {
  await db
    .updateTable('upload_attempt')
    .set({ ...end, at: now() })
    .where('organization_id', '=', organizationId)
    .where('checksum', '=', checksum)
    .execute()
}
