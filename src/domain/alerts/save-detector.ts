import type { CommandContext } from '#domain/access/command-context.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { asTransaction } from '#store/control/as-transaction.ts'
import { closeIncidentsOfRule } from './close-incidents.ts'
import type { RuleConfig } from './rule.ts'

type RuleOfDetector = {
  organizationId: number
  ruleId: number
  name: string
  projectId: number | null
  config: RuleConfig
  isOn: boolean
}

/** A rule with a metric has a detector for as long as it is on. `before` is the rule as it was; null for a new one. */
export async function saveDetector(
  inner: CommandContext,
  rule: RuleOfDetector,
  before: Measured | null,
): Promise<void> {
  const { db, now } = inner
  const { ruleId, name, projectId } = rule
  if (rule.config.metric === null || !rule.isOn) {
    await endIncidents(inner, ruleId, rule.isOn ? 'the rule no longer watches a number' : 'the rule was turned off')
    await db.deleteFrom('detector').where('rule_id', '=', ruleId).execute()
    return
  }
  if (before !== null && describeMeasured(before) !== describeMeasured(rule))
    await endIncidents(inner, ruleId, 'the rule was changed')
  await db
    .insertInto('detector')
    .values({
      organization_id: rule.organizationId,
      project_id: projectId,
      rule_id: ruleId,
      key: `rule:${ruleId}`,
      name,
      since: now(),
      judged_at: 0,
      value: null,
    })
    // How long there was no data was said of the number as it was before.
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({ name, project_id: projectId, gap: '', no_data_since: null }),
    )
    .execute()
}

export type Measured = Pick<RuleOfDetector, 'projectId' | 'config'>

/** Identifies the number, without its limits: an incident is about one number. */
function describeMeasured({ projectId, config: { metric, environments } }: Measured): string {
  if (metric === null) return ''
  const { dataset, measure, query, compare, direction } = metric
  return JSON.stringify([projectId, environments.toSorted(), dataset, measure, query, compare, direction])
}

/** Closes the incidents of a rule, and sends the reason to everyone who got the opening. */
export const endIncidents = (inner: CommandContext, ruleId: number, because: string): Promise<void> =>
  closeIncidentsOfRule({ trx: asTransaction(inner.db), enqueue, nowMs: inner.now() }, ruleId, because)
