/** No page stays open at the pager, no matter what opens it, what ends it, and when. */
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeIncident } from '#domain/alerts/handle-incident.ts'
import { deleteRule, snoozeRule } from '#domain/alerts/save-rule.ts'
import { changeChannel, deleteChannel, switchChannel } from '#domain/channels/change-channel.ts'
import { disabledNotice } from '#domain/channels/delivery/own-messages.ts'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { deleteIssues, discardIssues } from '#domain/issues/commands/delete-issues.ts'
import { mergeIssues, unmergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { deleteProject, restoreProject } from '#domain/projects/change-project.ts'
import { takeOver } from '#store/control/migrations/0073-pages.ts'
import { installationSecret } from '../channels/delivery-world.ts'
import { type Pager, startPager } from '../channels/start-pager.ts'
import { isLong } from '../long.ts'
import { onPostgres } from './on-each-engine.ts'
import { makePagesWorld, metric, type PagesWorld, pagerKinds } from './pages-world.ts'

let pager: Pager
beforeAll(async () => {
  pager = await startPager()
})
afterAll(() => pager?.stop())

type Paged = { channelId: number; ruleId: number; issueIds: number[]; incidentId: number }
type Kind = 'issue' | 'incident'
type Subject = { of: Kind; open(world: PagesWorld, channelId: number): Promise<Paged>; pages: number }
type End = { of: readonly Kind[]; rule?: object; end(world: PagesWorld, paged: Paged): Promise<unknown> }

const subjects: Record<string, Subject> = {
  'an issue': {
    of: 'issue',
    pages: 1,
    open: async (world, channelId) => {
      const issueIds = [await world.addIssue()]
      const ruleId = await world.addRule([channelId])
      await world.tell(
        ruleId,
        issueIds.map(id => world.issueMessage(id)),
      )
      return { channelId, ruleId, issueIds, incidentId: 0 }
    },
  },
  'issues of one trace': {
    of: 'issue',
    pages: 1,
    open: async (world, channelId) => {
      const issueIds = [await world.addIssue(), await world.addIssue()]
      const ruleId = await world.addRule([channelId])
      const traces = new Map(issueIds.map(id => [id, 'trace']))
      await world.tell(
        ruleId,
        issueIds.map(id => world.issueMessage(id)),
        traces,
      )
      return { channelId, ruleId, issueIds, incidentId: 0 }
    },
  },
  'a summary of issues': {
    of: 'issue',
    pages: 2,
    open: async (world, channelId) => {
      const issueIds: number[] = []
      for (let count = 0; count < 30; count++) issueIds.push(await world.addIssue())
      const ruleId = await world.addRule([channelId])
      await world.tell(
        ruleId,
        issueIds.map(id => world.issueMessage(id)),
      )
      world.clock.now += 61_000
      await world.flush()
      return { channelId, ruleId, issueIds, incidentId: 0 }
    },
  },
  'an incident': {
    of: 'incident',
    pages: 1,
    open: async (world, channelId) => {
      const ruleId = await world.addRule([channelId], { when: [], metric })
      const opened = await world.find(ruleId, 'critical')
      return { channelId, ruleId, issueIds: [], incidentId: opened?.incidentId ?? 0 }
    },
  },
  'an incident of another rule': {
    of: 'incident',
    pages: 1,
    open: async (world, channelId) => {
      const watching = await world.addRule([], { when: [], metric })
      const ruleId = await world.addRule([channelId], { when: ['incident'] })
      const opened = await world.find(watching, 'critical')
      if (opened !== null) await world.tell(ruleId, [opened])
      return { channelId, ruleId, issueIds: [], incidentId: opened?.incidentId ?? 0 }
    },
  },
}

const target = (world: PagesWorld, issueIds: number[]) => ({ scope: [world.web, world.other], issueIds })
const both = ['issue', 'incident'] as const
const named = (world: PagesWorld, { ruleId }: Paged) => ({ organizationId: world.organizationId, ruleId })
const addressed = (world: PagesWorld, { channelId }: Paged) => ({ organizationId: world.organizationId, channelId })

const ends: Record<string, End> = {
  resolved: {
    of: ['issue'],
    end: (world, { issueIds }) => resolveIssues(world.context, { ...target(world, issueIds), how: { kind: 'now' } }),
  },
  'resolved, which the rule tells': {
    of: ['issue'],
    end: async (world, { ruleId, issueIds }) => {
      await world.changeRule(ruleId, { config: { when: ['new-issue', 'resolved'] } })
      await resolveIssues(world.context, { ...target(world, issueIds), how: { kind: 'now' } })
    },
  },
  archived: {
    of: ['issue'],
    end: (world, { issueIds }) =>
      archiveIssues(world.context, { ...target(world, issueIds), until: { kind: 'forever' } }),
  },
  deleted: { of: ['issue'], end: (world, { issueIds }) => deleteIssues(world.context, target(world, issueIds)) },
  discarded: { of: ['issue'], end: (world, { issueIds }) => discardIssues(world.context, target(world, issueIds)) },
  merged: {
    of: ['issue'],
    end: async (world, { issueIds }) =>
      mergeIssues(world.context, { projectId: world.web, targetIssueId: await world.addIssue(), issueIds }),
  },
  'unmerged and resolved': {
    of: ['issue'],
    end: async (world, { issueIds }) => {
      const [issueId = 0] = issueIds
      const guest = await world.addIssue({ hashes: [`${issueId}a`.padStart(32, '0')] })
      await mergeIssues(world.context, { projectId: world.web, targetIssueId: issueId, issueIds: [guest] })
      const hashes = [{ version: 1, hash: `${issueId}a`.padStart(32, '0') }]
      expect(await unmergeIssues(world.context, { projectId: world.web, issueId, hashes })).toMatchObject({ ok: true })
      await resolveIssues(world.context, { ...target(world, issueIds), how: { kind: 'now' } })
    },
  },
  'closed by its detector': {
    of: ['incident'],
    end: async (world, { incidentId }) => {
      const { rule_id } = await world.control.db
        .selectFrom('incident')
        .select('rule_id')
        .where('id', '=', incidentId)
        .executeTakeFirstOrThrow()
      await world.find(rule_id ?? 0, '')
    },
  },
  'closed by hand': {
    of: ['incident'],
    end: (world, { incidentId }) =>
      closeIncident(world.context, { organizationId: world.organizationId, scope: [world.web], incidentId }),
  },
  'rule deleted': { of: both, end: (world, paged) => deleteRule(world.context, named(world, paged)) },
  'rule turned off': { of: both, end: (world, { ruleId }) => world.changeRule(ruleId, { isOn: false }) },
  'rule snoozed': {
    of: both,
    end: (world, paged) => snoozeRule(world.context, { ...named(world, paged), until: world.clock.now + 86_400_000 }),
  },
  'rule of another project': {
    of: both,
    end: (world, { ruleId }) => world.changeRule(ruleId, { projectId: world.other }),
  },
  'rule with another filter': {
    of: ['issue'],
    end: (world, { ruleId }) => world.changeRule(ruleId, { config: { filter: 'NoSuchError' } }),
  },
  'channel removed from the rule': {
    of: both,
    end: (world, { ruleId }) => world.changeRule(ruleId, { channelIds: [] }),
  },
  'channel turned off': {
    of: both,
    end: (world, paged) => switchChannel(world.context, { ...addressed(world, paged), isOn: false }),
  },
  'channel deleted': { of: both, end: (world, paged) => deleteChannel(world.context, addressed(world, paged)) },
  'project deleted': {
    of: both,
    end: (world, _) =>
      deleteProject(world.context, { organizationId: world.organizationId, projectId: world.web, confirmation: 'web' }),
  },
}

/** When the end comes: how far the message that opens the page has got. */
const moments = {
  'was sent': async (world: PagesWorld) => {
    await world.worker('a').run()
    return async () => undefined
  },
  'is queued': async () => async () => undefined,
  'has failed once': async (world: PagesWorld) => {
    pager.answers.push(503)
    const worker = world.worker('a')
    for (const row of (await worker.claim()).slice(0, 1)) await worker.settle(row, await worker.send(row))
    return async () => undefined
  },
  // The end comes while the request is on its way, and then the answer.
  'is being sent': async (world: PagesWorld) => {
    const worker = world.worker('a')
    const rows = await worker.claim()
    const results: Awaited<ReturnType<typeof worker.send>>[] = []
    for (const row of rows) results.push(await worker.send(row))
    return async () => {
      for (const [index, row] of rows.entries()) {
        const result = results[index]
        if (result) await worker.settle(row, result).catch(() => undefined)
      }
    }
  },
  // The process dies between the answer of the pager and its own record of it.
  'was sent by a process that was killed': async (world: PagesWorld) => {
    const worker = world.worker('a')
    for (const row of await worker.claim()) await worker.send(row)
    return async () => undefined
  },
  // It dies before it has sent anything.
  'was taken by a process that was killed': async (world: PagesWorld) => {
    await world.worker('a').claim()
    return async () => undefined
  },
}

/** Every two of subject, moment and end meet in the short run, and every three in the long one: a fault depends on two, rarely on three. */
function isWalked(subject: Subject, moment: string, end: string): boolean {
  const alike = Object.values(subjects).filter(each => each.of === subject.of)
  const turn = Object.keys(moments).indexOf(moment) + Object.keys(ends).indexOf(end)
  return isLong || alike[turn % alike.length] === subject
}

onPostgres(({ newAcme }) => {
  let world: PagesWorld
  beforeEach(async () => {
    pager.forget()
    world = await makePagesWorld(await newAcme(), pager)
  })

  describe.each(Object.entries(subjects))('%s', (_, subject) => {
    test.each(Object.entries(moments))(
      'is closed by every end when its message %s',
      async (moment, prepare) => {
        const left: string[] = []
        let walked = 0
        for (const kind of pagerKinds)
          for (const [name, { of, end }] of Object.entries(ends)) {
            if (!of.includes(subject.of) || !isWalked(subject, moment, name)) continue
            pager.forget()
            walked++
            const paged = await subject.open(world, await world.addPager(kind))
            const finish = await prepare(world)
            if (moment === 'was sent') {
              expect(pager.called, `${name}: paged`).toHaveLength(subject.pages)
              expect(pager.open()).toHaveLength(subject.pages)
            }
            await end(world, paged)
            await finish()
            await world.settle()
            const stillOpen = pager.open().map(({ summary }) => summary)
            if (stillOpen.length > 0) left.push(`${name}: ${stillOpen.join(', ')}`)
            // Nothing opens after its end, and what never opened is not closed.
            if (moment === 'is queued' || moment.startsWith('was taken')) expect(pager.events, name).toEqual([])
            expect(pager.refused, name).toEqual([])
            // An attempt that failed may have reached the pager anyway.
            if (moment !== 'has failed once') expect(pager.stray, name).toEqual([])
            expect(pager.reused, name).toEqual([])
            await restoreProject(world.context, { organizationId: world.organizationId, projectId: world.web })
            await clear(world)
          }
        expect(left).toEqual([])
        expect(walked).toBeGreaterThan(3)
        const unfinished = await world.control.db
          .selectFrom('page')
          .select('id')
          .where('ended_at', 'is', null)
          .execute()
        expect(unfinished).toEqual([])
        expect(
          await world.control.db.selectFrom('channel').select('id').where('retired_at', 'is not', null).execute(),
        ).toEqual([])
      },
      120_000,
    )
  })

  test('a summary is closed when its last issue ends, and no later page is added to it', async () => {
    const channelId = await world.addPager()
    const { ruleId, issueIds } = await (subjects['a summary of issues'] as Subject).open(world, channelId)
    await world.settle()
    expect(pager.called).toHaveLength(2)
    await resolveIssues(world.context, { ...target(world, issueIds.slice(0, -1)), how: { kind: 'now' } })
    await world.settle()
    expect(pager.open().map(({ key }) => key)).toEqual([expect.stringContaining('/summary/')])
    // A second flood of the rule.
    const more = [await world.addIssue(), await world.addIssue(), await world.addIssue()]
    await world.tell(
      ruleId,
      more.map(id => world.issueMessage(id)),
    )
    await world.settle()
    expect(pager.called).toHaveLength(4)
    expect(new Set(pager.called).size).toBe(4)
    await resolveIssues(world.context, { ...target(world, [...issueIds.slice(-1), ...more]), how: { kind: 'now' } })
    await world.settle()
    expect(pager.open()).toEqual([])
  })

  test('an issue that comes back after its page was closed pages again, with another key', async () => {
    const channelId = await world.addPager()
    const { ruleId, issueIds } = await (subjects['an issue'] as Subject).open(world, channelId)
    await world.settle()
    await resolveIssues(world.context, { ...target(world, issueIds), how: { kind: 'now' } })
    await world.settle()
    await world.control.db.updateTable('issue').set({ status: 'unresolved' }).execute()
    await world.tell(
      ruleId,
      issueIds.map(id => world.issueMessage(id, { type: 'issue.regressed' })),
    )
    await world.settle()
    expect(pager.called).toHaveLength(2)
    expect(new Set(pager.called).size).toBe(2)
    expect(pager.open()).toHaveLength(1)
  })

  test('two rules that page about one issue have one alert, which stays until both have ended', async () => {
    const channelId = await world.addPager()
    const { ruleId, issueIds } = await (subjects['an issue'] as Subject).open(world, channelId)
    const second = await world.addRule([channelId], { when: ['escalation'] })
    await world.tell(
      second,
      issueIds.map(id => world.issueMessage(id, { type: 'issue.escalating' })),
    )
    await world.settle()
    expect(pager.called).toHaveLength(1)
    await deleteRule(world.context, { organizationId: world.organizationId, ruleId })
    await world.settle()
    expect(pager.open()).toHaveLength(1)
    await deleteRule(world.context, { organizationId: world.organizationId, ruleId: second })
    await world.settle()
    expect(pager.open()).toEqual([])
  })

  test('a page that was opened before pages were recorded is closed with its old key', async () => {
    const channelId = await world.addPager()
    const { db } = world.control
    const [live = 0, over = 0] = [await world.addIssue(), await world.addIssue()]
    for (const id of [live, over])
      await world.enqueueAll([{ channelId, key: `old ${id}`, subject: `issue/${id}`, message: world.issueMessage(id) }])
    await db.updateTable('issue').set({ status: 'resolved' }).where('id', '=', over).execute()
    await db.deleteFrom('page').execute()
    await db.updateTable('outbox').set({ state: 'sent', page_id: null }).execute()
    for (const text of takeOver) await db.executeQuery(CompiledQuery.raw(text))
    await world.settle()
    expect(pager.events).toEqual([])
    await resolveIssues(world.context, { ...target(world, [live]), how: { kind: 'now' } })
    await world.settle()
    expect(pager.events).toMatchObject([{ event_action: 'resolve', dedup_key: `hydrant/acme/issue/${live}` }])
  })

  test('an edit that still covers an issue leaves its page open', async () => {
    const paged = await (subjects['an issue'] as Subject).open(world, await world.addPager())
    await world.settle()
    await world.changeRule(paged.ruleId, { config: { filter: 'Error' } })
    await world.settle()
    expect(pager.open()).toHaveLength(1)
  })

  test('with another key, a channel closes at the old service what it opened, and opens the rest at the new one', async () => {
    const channelId = await world.addPager('pagerduty', 'a'.repeat(32))
    await (subjects['an issue'] as Subject).open(world, channelId)
    await world.settle()
    const waiting = await (subjects['an issue'] as Subject).open(world, channelId)
    const change = {
      ...{ organizationId: world.organizationId, channelId, projectId: null, name: 'moved', installationSecret },
      ...{ checkUrl: () => null, settings: { routingKey: 'b'.repeat(32), url: pager.url } },
    }
    expect(await changeChannel(world.context, change)).toMatchObject({ ok: true })
    await world.settle()
    const told = pager.events.map(event => `${event.event_action} ${event.routing_key[0]}`)
    expect(told[0]).toBe('trigger a')
    expect(told.slice(1).toSorted()).toEqual(['resolve a', 'trigger b'])
    await resolveIssues(world.context, { ...target(world, waiting.issueIds), how: { kind: 'now' } })
    await world.settle()
    expect(pager.open()).toEqual([])
  })

  test('a notice that a channel was switched off pages, and is closed when the channel works again or is deleted', async () => {
    const channelId = await world.addPager()
    for (const repair of ['switch', 'delete'] as const) {
      const broken = await world.addPager()
      await world.control.db.updateTable('channel').set({ state: 'disabled' }).where('id', '=', broken).execute()
      const message = disabledNotice({ channelId: broken, name: 'broken', kind: 'pagerduty', reason: '404' })
      await world.enqueueAll([{ channelId, key: `off ${broken}`, subject: `channel/${broken}`, message }])
      await world.settle()
      expect(pager.open()).toHaveLength(1)
      const named = { organizationId: world.organizationId, channelId: broken }
      await (repair === 'delete'
        ? deleteChannel(world.context, named)
        : switchChannel(world.context, { ...named, isOn: true }))
      await world.settle()
      expect(pager.open(), repair).toEqual([])
    }
  })

  test('an end that the server refuses is sent again when the channel works again', async () => {
    const paged = await (subjects['an issue'] as Subject).open(world, await world.addPager())
    await world.settle()
    pager.answers.push(...Array.from({ length: 100 }, () => 403))
    await resolveIssues(world.context, { ...target(world, paged.issueIds), how: { kind: 'now' } })
    await world.settle()
    expect(pager.open()).toHaveLength(1)
    pager.answers.length = 0
    await world.control.db.updateTable('outbox').set({ state: 'dead' }).where('state', '=', 'queued').execute()
    await switchChannel(world.context, { ...addressed(world, paged), isOn: true })
    await world.settle()
    expect(pager.open()).toEqual([])
  })
})

/** Incidents and issues of one end are nothing to the next. */
async function clear({ control: { db } }: PagesWorld): Promise<void> {
  await db.updateTable('alert_rule').set({ is_on: 0 }).execute()
  await db.deleteFrom('detector').execute()
  await db.updateTable('incident').set({ closed_at: 1 }).where('closed_at', 'is', null).execute()
}
