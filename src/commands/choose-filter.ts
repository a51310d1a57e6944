import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { writeAudit } from './write-audit.ts'

export type ChooseFilterResult = { ok: true } | { ok: false; code: 'project_not_found' | 'count_invalid' }

type Choice = { projectId: number; rule: string; mode: 'on' | 'off' | 'sample'; keepOneIn: number }

/**
 * Milliseconds. Digest judges a record by what was chosen when it was received, and must find the same choice when it digests it
 * again: a choice begins after every node can read it.
 */
const leadMs = 3_000

/** What is done with a kind of noise from a few seconds on. Earlier choices stay: earlier events were judged by them. */
export function chooseFilter(
  context: CommandContext,
  { projectId, rule, mode, keepOneIn }: Choice,
): Promise<ChooseFilterResult> {
  return inTransaction<ChooseFilterResult>(context, async inner => {
    if (!Number.isInteger(keepOneIn) || keepOneIn < 1 || keepOneIn > 10_000) return { ok: false, code: 'count_invalid' }
    const project = await inner.db
      .selectFrom('project')
      .select('organization_id')
      .where('id', '=', projectId)
      .executeTakeFirst()
    if (project === undefined) return { ok: false, code: 'project_not_found' }
    const choice = { mode, keep_one_in: keepOneIn, actor: inner.actor }
    await inner.db
      .insertInto('project_filter')
      .values({ project_id: projectId, rule, since: inner.now() + leadMs, ...choice })
      .onConflict(conflict => conflict.columns(['project_id', 'rule', 'since']).doUpdateSet(choice))
      .execute()
    await writeAudit(inner, {
      organizationId: project.organization_id,
      action: 'project_filter.choose',
      target: `project:${projectId}`,
      detail: { rule, mode, keep_one_in: keepOneIn },
    })
    return { ok: true }
  })
}
