import type { CommandContext } from '#domain/access/command-context.ts'
import type { RuleConfig } from './rule.ts'

type RuleOfDetector = {
  organizationId: number
  ruleId: number
  name: string
  projectId: number | null
  config: RuleConfig
  isOn: boolean
}

/** A rule with a metric has a detector for as long as it is on. Without one, its open incidents end. */
export async function saveDetector(context: CommandContext, rule: RuleOfDetector): Promise<void> {
  const { db, now } = context
  const { ruleId, name, projectId } = rule
  if (rule.config.metric === null || !rule.isOn) {
    await closeIncidents(context, ruleId)
    await db.deleteFrom('detector').where('rule_id', '=', ruleId).execute()
    return
  }
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

/** Silently: nobody has to hear that a rule is gone. */
export async function closeIncidents({ db, now }: CommandContext, ruleId: number): Promise<void> {
  await db
    .updateTable('incident')
    .set({ closed_at: now() })
    .where('rule_id', '=', ruleId)
    .where('closed_at', 'is', null)
    .execute()
}
