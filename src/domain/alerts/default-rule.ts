/** An organization whose server can send mail hears of its issues without anyone writing a rule: members get mail, as each has chosen. */
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Stores } from '#domain/access/unscoped-stores.ts'
import { createChannel } from '#domain/channels/change-channel.ts'
import { ruleConfig } from './rule.ts'
import { saveRule } from './save-rule.ts'

const markOf = (organizationId: number): string => `alert_defaults:${organizationId}`
const channelName = 'Members by email'
export const defaultRuleName = 'Issues by email'

/** Once for each organization, whatever its members make of it later. One that has rules already is left as it is. */
export async function addDefaultRules({ control }: Stores, nowMs: number): Promise<void> {
  const organizations = await control.db
    .selectFrom('organization')
    .select('id')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('setting')
            .select('name')
            .where(({ eb, ref }) =>
              eb(
                'setting.name',
                '=',
                eb(eb.val('alert_defaults:'), '||', eb.cast<string>(ref('organization.id'), 'text')),
              ),
            ),
        ),
      ),
    )
    .limit(100)
    .execute()
  for (const { id } of organizations)
    await inTransaction({ db: control.db, actor: 'hydrant', now: () => nowMs }, context => addDefault(context, id))
}

async function addDefault(context: CommandContext, organizationId: number): Promise<{ ok: true }> {
  const marked = await context.db
    .insertInto('setting')
    .values({ name: markOf(organizationId), value: String(context.now()) })
    .onConflict(conflict => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  const existing = await context.db
    .selectFrom('alert_rule')
    .select('id')
    .where('organization_id', '=', organizationId)
    .limit(1)
    .executeTakeFirst()
  if (marked === undefined || existing !== undefined) return { ok: true }
  const channel = await createChannel(context, {
    organizationId,
    projectId: null,
    name: channelName,
    kind: 'email',
    settings: { to: 'assignee, members' },
    ownerUserId: null,
    // Recipients are neither secrets nor URLs.
    installationSecret: '',
    checkUrl: () => null,
  })
  if (!channel.ok) return { ok: true }
  await saveRule(context, {
    organizationId,
    ruleId: null,
    name: defaultRuleName,
    projectId: null,
    config: ruleConfig.parse({ when: ['new-issue', 'regression', 'escalation', 'incident'], followsSettings: true }),
    isOn: true,
    channelIds: [channel.id],
    ownerUserId: null,
  })
  return { ok: true }
}
