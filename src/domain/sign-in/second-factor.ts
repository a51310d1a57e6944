import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'

/** From when members of the organization need a second factor, or null. */
export async function findTwoFactorStart(viewer: Pick<Viewer, 'control'>): Promise<number | null> {
  const row = await viewer.control.organization().select('two_factor_from').executeTakeFirst()
  return row?.two_factor_from ?? null
}

type RequireResult = { ok: true } | { ok: false; code: 'second_factor_first' }
type Requirement = { organizationId: number; from: number | null; hasSecondFactor: boolean }

/**
 * From when members of the organization need a second factor; null switches it off. Whoever requires it has signed in with one, so that
 * nobody locks themselves out by a click.
 */
export function requireTwoFactor(context: CommandContext, { organizationId, from, hasSecondFactor }: Requirement) {
  return inTransaction<RequireResult>(context, async inner => {
    if (from !== null && !hasSecondFactor) return { ok: false, code: 'second_factor_first' }
    await inner.db.updateTable('organization').set({ two_factor_from: from }).where('id', '=', organizationId).execute()
    await writeAudit(inner, {
      organizationId,
      target: `organization:${organizationId}`,
      action: from === null ? 'organization.two_factor_optional' : 'organization.two_factor_required',
      ...(from === null ? {} : { detail: { from } }),
    })
    return { ok: true }
  })
}
