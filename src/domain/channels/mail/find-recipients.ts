import type { Kysely } from 'kysely'
import { type RecipientRule, readRecipients } from '#domain/channels/kinds/email.ts'
import { type AlertMessage, partFor, projectsIn } from '#domain/channels/message.ts'
import { mutingSettingOf } from '#domain/channels/notification-settings.ts'
import { readSight } from '#domain/projects/unscoped-projects.ts'
import type { ControlSchema, MemberRole } from '#store/control/schema.ts'

type Db = Kysely<ControlSchema>
type Asked = {
  organizationId: number
  channelId: number
  rules: readonly RecipientRule[]
  message: AlertMessage
}
/** Whom it goes to, and what of it they may see. */
export type Recipient = { address: string; message: AlertMessage }

/**
 * Who gets a mail now: members who still are and see its project, without those who have unsubscribed or switched such mail off. The
 * assignee gets it in addition to the others, never instead of them.
 */
export async function findRecipients(
  db: Db,
  { organizationId, channelId, rules, message }: Asked,
): Promise<Recipient[]> {
  const issueId = message.issue?.id ?? null
  const has = (kind: RecipientRule['kind']) => rules.some(rule => rule.kind === kind)
  const sees = await readSight(db, projectsIn(message))
  const partOf = (member: Member): Recipient[] => {
    const part = partFor(message, projectId => sees(member, projectId))
    return part === null ? [] : [{ address: member.email, message: part }]
  }
  const assigned = has('assignee') && issueId !== null ? await findAssigned(db, organizationId, issueId) : []
  const others = await findMembers(db, organizationId, rules)
  const muted = await findMuted(db, organizationId, message)
  const members = [...assigned, ...others].filter(({ userId }) => !muted.has(userId)).flatMap(partOf)
  const fixed = rules.flatMap(rule => (rule.kind === 'address' ? [{ address: rule.address, message }] : []))
  const found = new Map([...members, ...fixed].map(each => [each.address.toLowerCase(), each]))
  const optedOut = await db.selectFrom('mail_opt_out').select('email').where('channel_id', '=', channelId).execute()
  for (const { email } of optedOut) found.delete(email)
  return [...found.values()]
}

/** Members who have switched mail about such messages off. */
async function findMuted(db: Db, organizationId: number, message: AlertMessage): Promise<ReadonlySet<string>> {
  const setting = mutingSettingOf(message)
  if (setting === null) return new Set()
  const rows = await db
    .selectFrom('notification_setting')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('type', '=', setting)
    .where('email', '=', 0)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Rules as an outbox row names them, instead of those of the channel. */
export const rulesOf = (entries: readonly string[]): RecipientRule[] =>
  entries.length === 0 ? [] : (readRecipients(entries.join('\n')) ?? [])

async function findAssigned(db: Db, organizationId: number, issueId: number): Promise<Member[]> {
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

type Member = { email: string; userId: string; role: MemberRole }

async function findMembers(db: Db, organizationId: number, rules: readonly RecipientRule[]): Promise<Member[]> {
  const isAll = rules.some(({ kind }) => kind === 'members')
  const users = rules.flatMap(rule => (rule.kind === 'user' ? [rule.id] : []))
  const teams = rules.flatMap(rule => (rule.kind === 'team' ? [rule.slug] : []))
  if (!isAll && users.length === 0 && teams.length === 0) return []
  return db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.email', 'user.id as userId', 'member.role'])
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
}
