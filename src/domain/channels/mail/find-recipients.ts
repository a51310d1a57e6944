import type { Kysely } from 'kysely'
import { type RecipientRule, readRecipients } from '#domain/channels/kinds/email.ts'
import type { ControlSchema } from '#store/control/schema.ts'

type Db = Kysely<ControlSchema>
type Asked = {
  organizationId: number
  channelId: number
  rules: readonly RecipientRule[]
  issueId: number | null
}

/**
 * The addresses that get a mail now: of members who still are, without those who have unsubscribed. If the issue has an assignee and
 * the channel names `assignee`, only they and fixed addresses get it.
 */
export async function findRecipients(db: Db, { organizationId, channelId, rules, issueId }: Asked): Promise<string[]> {
  const has = (kind: RecipientRule['kind']) => rules.some(rule => rule.kind === kind)
  const assigned = has('assignee') && issueId !== null ? await findAssigned(db, organizationId, issueId) : []
  const others = assigned.length > 0 ? [] : await findMembers(db, organizationId, rules)
  const fixed = rules.flatMap(rule => (rule.kind === 'address' ? [rule.address] : []))
  const found = new Map([...assigned, ...others, ...fixed].map(address => [address.toLowerCase(), address]))
  const optedOut = await db.selectFrom('mail_opt_out').select('email').where('channel_id', '=', channelId).execute()
  for (const { email } of optedOut) found.delete(email)
  return [...found.values()]
}

/** Rules as an outbox row names them, instead of those of the channel. */
export const rulesOf = (entries: readonly string[]): RecipientRule[] =>
  entries.length === 0 ? [] : (readRecipients(entries.join('\n')) ?? [])

async function findAssigned(db: Db, organizationId: number, issueId: number): Promise<string[]> {
  const issue = await db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select('issue.assignee')
    .where('issue.id', '=', issueId)
    .where('project.organization_id', '=', organizationId)
    .executeTakeFirst()
  const [kind, id = ''] = (issue?.assignee ?? '').split(/:(.*)/s)
  if (kind === 'user') return findMembers(db, organizationId, [{ kind: 'user', id }])
  if (kind !== 'team') return []
  const team = await db
    .selectFrom('team')
    .select('slug')
    .where('id', '=', Number(id))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return team === undefined ? [] : findMembers(db, organizationId, [{ kind: 'team', slug: team.slug }])
}

const maxMembers = 1_000

async function findMembers(db: Db, organizationId: number, rules: readonly RecipientRule[]): Promise<string[]> {
  const isAll = rules.some(({ kind }) => kind === 'members')
  const users = rules.flatMap(rule => (rule.kind === 'user' ? [rule.id] : []))
  const teams = rules.flatMap(rule => (rule.kind === 'team' ? [rule.slug] : []))
  if (!isAll && users.length === 0 && teams.length === 0) return []
  const rows = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('user.email')
    .where('member.organization_id', '=', organizationId)
    .where(eb =>
      eb.or([
        ...(isAll ? [eb('member.user_id', 'is not', null)] : []),
        eb('member.user_id', 'in', ['', ...users]),
        eb(
          'member.user_id',
          'in',
          eb
            .selectFrom('team_member')
            .innerJoin('team', 'team.id', 'team_member.team_id')
            .select('team_member.user_id')
            .where('team.organization_id', '=', organizationId)
            .where('team.slug', 'in', ['', ...teams]),
        ),
      ]),
    )
    .orderBy('user.email')
    .limit(maxMembers)
    .execute()
  return rows.map(({ email }) => email)
}
