/** A world with a channel, in which changes of issues become messages. */
import type { Viewer } from '#domain/access/viewer.ts'
import { type AlertOptions, alertOnChanges, flushDueBursts } from '#domain/alerts/alert-on-changes.ts'
import { previewRule } from '#domain/alerts/preview-rule.ts'
import { readRules } from '#domain/alerts/read-rules.ts'
import { type RuleConfig, ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { readStoredMessage, type StoredMessage } from '#domain/alerts/stored-message.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { viewAs } from '../view-as.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

/** Nothing here searches single events. */
const noTelemetry = { query: () => Promise.reject(new Error('there is no engine here')) } as unknown as Telemetry

export type AlertWorld = Awaited<ReturnType<typeof makeAlertWorld>>

export async function makeAlertWorld(control: Control) {
  const world: World = await makeWorld(control)
  const stores = { control, telemetry: noTelemetry }
  const options: AlertOptions = { stores, enqueue, now: () => world.clock.now }
  const channelId = await addChannel(control)

  async function addRule(given: Partial<RuleConfig> & { name?: string; projectId?: number | null } = {}) {
    const { name = 'rule', projectId = null, ...config } = given
    const saved = await saveRule(world.context, {
      organizationId: 1,
      ruleId: null,
      name,
      projectId,
      config: ruleConfig.parse({ when: ['new-issue', 'regression', 'escalation', 'resolved'], ...config }),
      isOn: true,
      channelIds: [channelId],
      ownerUserId: null,
    })
    if (!saved.ok) throw new Error(saved.code)
    return saved.ruleId
  }

  const sent = async () => {
    const rows = await control.db.selectFrom('outbox').select(['id', 'message']).orderBy('id').execute()
    return rows.map(row => ({ id: row.id, message: readStoredMessage(row.message) }))
  }

  return {
    world,
    options,
    channelId,
    addRule,
    sent,
    types: async () => (await sent()).map(({ message }) => message?.type),
    send: (...errors: (string | SentError)[]) =>
      digestEvents(
        world,
        errors.map(error => (typeof error === 'string' ? { type: error } : error)),
      ),
    run: async (more: Partial<AlertOptions> = {}) => {
      const done = await alertOnChanges({ ...options, ...more })
      await flushDueBursts(options)
      return done
    },
    viewer: () =>
      viewAs(stores, {
        user: { id: world.userId, name: 'Ada', email: 'ada@example.com' },
        projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
        now: world.clock.now,
      }),
    issueId: async (type: string) =>
      (await control.db.selectFrom('issue').select('id').where('title', 'like', `${type}%`).executeTakeFirstOrThrow())
        .id,
  }
}

async function addChannel({ db }: Control): Promise<number> {
  const { id } = await db
    .insertInto('channel')
    .values({
      ...{ organization_id: 1, project_id: null, name: 'hook', kind: 'webhook', config: '{}' },
      ...{ state_at: startedAt, owner_user_id: null, created_at: startedAt },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What a reader gets of a message: without the rule, which a preview need not have, and the moment. */
export function contentOf(message: StoredMessage | null) {
  if (message === null) throw new Error('this message cannot be read')
  const { ruleId: _, at: __, ...content } = message
  const plain = (each: object) => ({ ...each, ruleId: null, at: 0, reason: '' })
  if (content.kind === 'summary') return { ...content, items: content.items.map(plain) }
  return content.kind === 'issue' && content.others ? { ...content, others: content.others.map(plain) } : content
}

/** What the first rule would have sent to each of its lanes, oldest first. */
export async function previewLanes(viewer: Viewer, db: Control['db']) {
  const [rule] = await readRules(db, { organizationIds: [1] })
  if (rule === undefined) throw new Error('there is no rule')
  const { lanes } = await previewRule(viewer, { ...rule, ruleId: rule.id })
  return lanes.map(({ messages }) => messages.toReversed().map(({ stored }) => contentOf(stored)))
}
