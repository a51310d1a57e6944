import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { findSlugFault, type SlugFault } from './slug.ts'
import { writeAudit } from './write-audit.ts'

export type NewOrganization = { slug: string; name?: string | undefined }
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
