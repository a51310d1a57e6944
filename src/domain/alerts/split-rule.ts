import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { kindsOf, ofKind, type RuleKind, readRuleConfig } from './rule.ts'
import { isRuleInScope, type RuleFault, saveRule, snoozeRule } from './save-rule.ts'

type SplitRule = { organizationId: number; scope?: readonly number[] | undefined; ruleId: number }
type Result = { ok: true; ruleIds: number[] } | { ok: false; code: RuleFault | 'rule_has_one_kind' }

const words: Readonly<Record<RuleKind, string>> = { issue: 'issues', count: 'counts', metric: 'metric' }
const maxName = 100

/**
 * Makes a rule of each kind out of one with several. The rule keeps its metric, and with it its open incidents; the new rules get the
 * same channels, and sleep as long.
 */
export function splitRule(context: CommandContext, { organizationId, scope, ruleId }: SplitRule): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    if (!(await isRuleInScope(inner, { organizationId, scope, ruleId }))) return { ok: false, code: 'rule_not_found' }
    const rule = await inner.db
      .selectFrom('alert_rule')
      .select(['project_id', 'name', 'config', 'is_on', 'owner_user_id', 'snoozed_until'])
      .where('id', '=', ruleId)
      .executeTakeFirstOrThrow()
    const channels = await inner.db
      .selectFrom('alert_rule_channel')
      .select('channel_id')
      .where('rule_id', '=', ruleId)
      .execute()
    const config = readRuleConfig(rule.config)
    const [kept, ...others] = kindsOf(config).toReversed()
    if (kept === undefined || others.length === 0) return { ok: false, code: 'rule_has_one_kind' }
    const same = {
      organizationId,
      projectId: rule.project_id,
      isOn: rule.is_on === 1,
      channelIds: channels.map(row => row.channel_id),
      ownerUserId: rule.owner_user_id,
    }
    const whole = await saveRule(inner, { ...same, ruleId, name: rule.name, config: ofKind(config, kept) })
    if (!whole.ok) return whole
    const names = await listNames(inner, organizationId)
    const ruleIds: number[] = []
    for (const kind of others) {
      const name = freeName(rule.name, words[kind], names)
      const made = await saveRule(inner, { ...same, ruleId: null, name, config: ofKind(config, kind) })
      if (!made.ok) throw new Error(`A part of rule ${ruleId} could not be saved: ${made.code}.`)
      if (rule.snoozed_until !== null)
        await snoozeRule(inner, { organizationId, ruleId: made.ruleId, until: rule.snoozed_until })
      names.add(name)
      ruleIds.push(made.ruleId)
    }
    return { ok: true, ruleIds }
  })
}

async function listNames({ db }: CommandContext, organizationId: number): Promise<Set<string>> {
  const rows = await db.selectFrom('alert_rule').select('name').where('organization_id', '=', organizationId).execute()
  return new Set(rows.map(({ name }) => name))
}

function freeName(name: string, word: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? ` (${word})` : ` (${word} ${number})`
    const found = name.slice(0, maxName - end.length) + end
    if (!taken.has(found)) return found
  }
}
