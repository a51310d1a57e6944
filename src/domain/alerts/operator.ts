/** Detectors of the installation itself: they open incidents in the project of Hydrant's own errors. */
import type { Stores } from '#domain/access/unscoped-stores.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import { dispatch } from './dispatch.ts'
import { recordFinding } from './incidents.ts'
import { judge, type Limits } from './judge.ts'
import { sendingOf } from './lane-memory.ts'
import { readRules } from './read-rules.ts'
import { isAwake } from './rule.ts'
import type { Enqueue } from './send-to-lane.ts'

/** What a node knows about itself; null for what it cannot tell. */
export type OperatorFacts = {
  /** The free part of the disk, from 0 to 1. */
  diskFree: number | null
  /** How long the oldest record has waited in the inbox. */
  backlogSeconds: number | null
  isEngineUp: boolean
}

type Watch = {
  key: string
  name: string
  value: number | null
  direction: 'above' | 'below'
  limits: Limits
  forMinutes: number
  say: (value: number) => string
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`

function watchesOf({ diskFree, backlogSeconds, isEngineUp }: OperatorFacts): Watch[] {
  return [
    {
      key: 'operator:disk',
      name: 'Disk is filling',
      value: diskFree,
      direction: 'below',
      forMinutes: 1,
      limits: { critical: 0.05, warning: 0.1, resolved: 0.12 },
      say: free => `${percent(free)} of the disk is free`,
    },
    {
      key: 'operator:backlog',
      name: 'Events wait',
      value: backlogSeconds,
      direction: 'above',
      forMinutes: 2,
      limits: { critical: 600, warning: 120, resolved: 30 },
      say: seconds => `the oldest event has waited for ${Math.round(seconds)} s`,
    },
    {
      ...{
        key: 'operator:engine',
        name: 'ClickHouse is down',
        value: isEngineUp ? 0 : 1,
        direction: 'above',
        forMinutes: 2,
      },
      limits: { critical: 0, warning: null, resolved: null },
      say: down => (down > 0 ? 'ClickHouse does not answer; events wait in the inbox' : 'ClickHouse answers'),
    },
  ] satisfies Watch[]
}

type Options = { stores: Stores; enqueue: Enqueue; now: () => number }

/** Judged by the wall clock: a backlog must not wait for the backlog. */
export async function judgeOperator({ stores, enqueue, now }: Options, facts: OperatorFacts): Promise<void> {
  const { db } = stores.control
  const home = await db
    .selectFrom('project')
    .select(['id', 'organization_id'])
    .where('is_internal', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (home === undefined) return
  const minute = Math.floor(now() / 60_000) * 60_000
  const watches = watchesOf(facts)
  await db
    .insertInto('detector')
    .values(
      watches.map(({ key, name }) => ({
        key,
        name,
        organization_id: home.organization_id,
        project_id: home.id,
        rule_id: null,
        since: minute,
        judged_at: 0,
        value: null,
      })),
    )
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
  const detectors = await db
    .selectFrom('detector')
    .select(['id', 'key', 'severity'])
    .where(
      'key',
      'in',
      watches.map(({ key }) => key),
    )
    .execute()
  const rules = (await readRules(db, { organizationIds: [home.organization_id] })).filter(
    rule => rule.config.when.includes('incident') && (rule.projectId === null || rule.projectId === home.id),
  )
  for (const { key, value, direction, limits, forMinutes, say } of watches) {
    const detector = detectors.find(each => each.key === key)
    if (detector === undefined) continue
    const verdict = judge(direction, { value, limits }, detector.severity)
    const isHigherWorse = direction === 'above'
    const reason = () => (value === null ? 'unknown' : say(value))
    const finding = { detectorId: detector.id, verdict, value, limits, forMinutes, isHigherWorse, reason, metric: '' }
    await retryDeadlocks(() =>
      db.transaction().execute(async trx => {
        const message = await recordFinding(trx, finding, minute)
        if (message === null) return
        const sending = sendingOf({ trx, enqueue, nowMs: now() })
        for (const rule of rules)
          if (isAwake(rule, now())) await dispatch(sending, { kind: 'rule', rule }, [{ ...message, ruleId: rule.id }])
        await dispatch(sending, { kind: 'project', projectId: home.id }, [message])
      }),
    )
  }
}
