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

/** Whoever is at it says so again and again. After this long without a word it has ended, and the next one who asks may take it up. */
const abandonedAfterMs = 30_000
const renewEveryMs = 5_000
const stuckAfterMs = 10 * 60_000 // it may hang, with a process that lives on

/** True where this caller is to put the upload together: nobody else is at it. One row decides, for all nodes. */
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

/** Holds on to a claim for as long as the work takes. */
export async function whileClaimed<Answer>(
  context: CommandContext,
  upload: Upload,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const begun = performance.now()
  const timer = setInterval(() => {
    if (performance.now() - begun < stuckAfterMs) void renewAttempt(context, upload).catch(() => undefined) // the next one may succeed
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
