/** Makes the channels and rules of an organization what a file says. */
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { type RuleConfig, readRuleConfig } from './rule.ts'
import type { AlertsFile, FileChannel, FileRule } from './rules-file.ts'
import { deleteRule, saveRule, snoozeRule } from './save-rule.ts'

export type FileChange = {
  sign: '+' | '~' | '-' | '='
  what: 'channel' | 'rule'
  name: string
  /** What differs, in words. */
  note: string
}
type Applied = { ok: true; changes: FileChange[] } | { ok: false; code: 'file_refused'; faults: string[] }

/** How channels are stored is not ours to know: `plan` says what would change, `save` does it. */
export type ChannelWriter = {
  plan(context: CommandContext, organizationId: number, channel: FileChannel): Promise<FileChange | { fault: string }>
  save(
    context: CommandContext,
    organizationId: number,
    channel: FileChannel,
  ): Promise<{ fault: string } | { secret: string | null }>
  remove(context: CommandContext, organizationId: number, channelId: number): Promise<void>
}

type Options = {
  organizationId: number
  file: AlertsFile
  channels: ChannelWriter
  /** Delete what the file does not have. */
  isPruning: boolean
  /** Show the changes and make none. */
  isDryRun: boolean
}

/** All or nothing, in one transaction. */
export async function applyAlertsFile(context: CommandContext, options: Options): Promise<Applied> {
  const changes: FileChange[] = []
  const result = await inTransaction<Applied>(context, async inner => {
    changes.length = 0
    const faults = [...(await applyChannels(inner, options, changes)), ...(await applyRules(inner, options, changes))]
    if (faults.length > 0) return { ok: false, code: 'file_refused', faults }
    if (options.isDryRun) return { ok: false, code: 'file_refused', faults: [] }
    return { ok: true, changes }
  })
  // A failure rolls back, and a dry run is one without faults.
  return !result.ok && result.faults.length === 0 ? { ok: true, changes } : result
}

async function applyChannels(context: CommandContext, options: Options, changes: FileChange[]): Promise<string[]> {
  const { organizationId, file, channels, isPruning, isDryRun } = options
  const faults: string[] = []
  for (const channel of file.channels) {
    const plan = await channels.plan(context, organizationId, channel)
    if ('fault' in plan) faults.push(`channel ${channel.name}: ${plan.fault}`)
    else {
      const saved = plan.sign === '=' ? { secret: null } : await channels.save(context, organizationId, channel)
      if ('fault' in saved) faults.push(`channel ${channel.name}: ${saved.fault}`)
      else {
        // A dry run throws away the secret that it generates.
        const shown = isDryRun ? 'a secret will be generated' : `secret ${saved.secret}, shown once`
        changes.push({ ...plan, note: [plan.note, saved.secret === null ? '' : shown].filter(Boolean).join('; ') })
      }
    }
  }
  if (!isPruning) return faults
  const kept = new Set(file.channels.map(({ name }) => name))
  const stored = await context.db
    .selectFrom('channel')
    .select(['id', 'name', 'kind'])
    .where('organization_id', '=', organizationId)
    .where('retired_at', 'is', null)
    .orderBy('name')
    .execute()
  for (const { id, name, kind } of stored.filter(channel => !kept.has(channel.name))) {
    await channels.remove(context, organizationId, id)
    changes.push({ sign: '-', what: 'channel', name, note: kind })
  }
  return faults
}

async function applyRules(context: CommandContext, options: Options, changes: FileChange[]): Promise<string[]> {
  const { organizationId, file, isPruning } = options
  const names = await readNames(context, organizationId)
  const stored = await readStored(context, organizationId)
  const faults: string[] = []
  const met = new Set<number>()
  for (const rule of file.rules) {
    const wanted = resolve(rule, names)
    if ('faults' in wanted) {
      faults.push(...wanted.faults.map(fault => `rule ${rule.name}: ${fault}`))
      continue
    }
    const before = findStored(stored, rule.name, wanted.projectId)
    if (before !== undefined) met.add(before.id)
    const snoozes = rule.snoozedUntil !== undefined && rule.snoozedUntil !== (before?.snoozedUntil ?? null)
    const differs = before === undefined ? [] : [...differences(before, wanted), ...(snoozes ? ['snoozed_until'] : [])]
    if (before !== undefined && differs.length === 0) {
      changes.push({ sign: '=', what: 'rule', name: rule.name, note: '' })
      continue
    }
    const ownerUserId = rule.owner === undefined ? (before?.ownerUserId ?? null) : wanted.ownerUserId
    const saved = await saveRule(context, {
      organizationId,
      ruleId: before?.id ?? null,
      name: rule.name,
      ...wanted,
      ownerUserId,
    })
    if (!saved.ok) faults.push(`rule ${rule.name}: ${ruleFaults[saved.code] ?? saved.code}`)
    else if (snoozes)
      await snoozeRule(context, { organizationId, ruleId: saved.ruleId, until: rule.snoozedUntil ?? null })
    changes.push({ sign: before === undefined ? '+' : '~', what: 'rule', name: rule.name, note: differs.join(', ') })
  }
  if (isPruning)
    for (const { id, name } of stored)
      if (!met.has(id)) {
        await deleteRule(context, { organizationId, ruleId: id })
        changes.push({ sign: '-', what: 'rule', name, note: '' })
      }
  return faults
}

const ruleFaults: Record<string, string | undefined> = {
  rule_without_trigger: 'has no when, no counts and no metric',
  rule_metric_invalid: 'its metric cannot be computed: check measure and query',
  rule_filter_invalid: 'its filter is not a valid search',
}

type Names = {
  projects: ReadonlyMap<string, number>
  channels: ReadonlyMap<string, number>
  members: ReadonlyMap<string, string>
}
type Wanted = {
  projectId: number | null
  config: RuleConfig
  isOn: boolean
  channelIds: number[]
  ownerUserId: string | null
}

async function readNames({ db }: CommandContext, organizationId: number): Promise<Names> {
  const [projects, channels, members] = [
    await db
      .selectFrom('project')
      .select(['slug', 'id'])
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .execute(),
    await db
      .selectFrom('channel')
      .select(['name', 'id'])
      .where('organization_id', '=', organizationId)
      .where('retired_at', 'is', null)
      .execute(),
    await db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.user_id')
      .select(['user.email', 'user.id'])
      .where('member.organization_id', '=', organizationId)
      .execute(),
  ]
  return {
    projects: new Map(projects.map(row => [row.slug, row.id])),
    channels: new Map(channels.map(row => [row.name, row.id])),
    members: new Map(members.map(row => [row.email.toLowerCase(), row.id])),
  }
}

function resolve(rule: FileRule, names: Names): Wanted | { faults: string[] } {
  const faults: string[] = []
  const find = <Id>(what: string, name: string, known: ReadonlyMap<string, Id>): Id | null => {
    const id = known.get(name) ?? null
    if (id === null) faults.push(`there is no ${what} ${JSON.stringify(name)}`)
    return id
  }
  const projectId = rule.project === undefined ? null : find('project', rule.project, names.projects)
  const ownerUserId = rule.owner === undefined ? null : find('member', rule.owner.toLowerCase(), names.members)
  const channelIds = rule.channels.flatMap(name => find('channel', name, names.channels) ?? [])
  return faults.length > 0 ? { faults } : { projectId, ownerUserId, channelIds, config: rule.config, isOn: rule.isOn }
}

async function readStored({ db }: CommandContext, organizationId: number) {
  const rules = await db
    .selectFrom('alert_rule')
    .select(['id', 'name', 'project_id', 'config', 'is_on', 'owner_user_id', 'snoozed_until'])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .execute()
  const channels = await db
    .selectFrom('alert_rule_channel')
    .innerJoin('alert_rule', 'alert_rule.id', 'alert_rule_channel.rule_id')
    .select(['rule_id', 'channel_id'])
    .where('alert_rule.organization_id', '=', organizationId)
    .execute()
  const channelsOf = Map.groupBy(channels, row => row.rule_id)
  return rules.map(row => ({
    id: row.id,
    name: row.name,
    projectId: row.project_id,
    config: readRuleConfig(row.config),
    isOn: row.is_on === 1,
    ownerUserId: row.owner_user_id,
    snoozedUntil: row.snoozed_until,
    channelIds: (channelsOf.get(row.id) ?? []).map(({ channel_id }) => channel_id),
  }))
}

/** The rule of this name: of the same project, or else the only one, which then moves to the project. */
function findStored<Row extends { name: string; projectId: number | null }>(
  stored: readonly Row[],
  name: string,
  projectId: number | null,
): Row | undefined {
  const namesakes = stored.filter(rule => rule.name === name)
  const [only, ...others] = namesakes
  return namesakes.find(rule => rule.projectId === projectId) ?? (others.length === 0 ? only : undefined)
}

/** The parts in which a stored rule differs, by their key in the file. */
function differences(before: Wanted, after: Wanted): string[] {
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  const keys: Record<keyof RuleConfig, string> = {
    when: 'when',
    counts: 'counts',
    metric: 'metric',
    filter: 'filter',
    environments: 'environments',
    atMostEveryMs: 'at_most_every',
    quiet: 'quiet',
    followsSettings: 'follows_settings',
  }
  return [
    ...(before.projectId === after.projectId ? [] : ['project']),
    ...(Object.keys(keys) as (keyof RuleConfig)[]).flatMap(key =>
      same(before.config[key], after.config[key]) ? [] : [keys[key]],
    ),
    ...(same(before.channelIds.toSorted(), after.channelIds.toSorted()) ? [] : ['channels']),
    ...(after.ownerUserId === null || before.ownerUserId === after.ownerUserId ? [] : ['owner']),
    ...(before.isOn === after.isOn ? [] : ['on']),
  ]
}
