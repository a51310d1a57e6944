/** Critical messages are sent separately and immediately, no matter how many others are waiting. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxInWindow, maxUrgentInWindow, windowMs } from '#domain/channels/delivery/candidate-channels.ts'
import { foldOverflow } from '#domain/channels/delivery/summaries.ts'
import { channelKinds } from '#domain/channels/kinds/list.ts'
import { deleteProject } from '#domain/projects/change-project.ts'
import { type Pager, startPager } from '../channels/start-pager.ts'
import { type Receiver, startReceiver } from '../channels/start-receiver.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makePagesWorld, type PagesWorld } from './pages-world.ts'

let pager: Pager
let receiver: Receiver
beforeAll(async () => {
  ;[pager, receiver] = await Promise.all([startPager(), startReceiver()])
})
afterAll(() => Promise.all([pager?.stop(), receiver?.stop()]))

onEachEngine(({ newAcme }) => {
  let world: PagesWorld
  let hook: number
  beforeEach(async () => {
    pager.forget()
    receiver.received.length = 0
    world = await makePagesWorld(await newAcme(), pager)
    hook = await world.addChannel('webhook', { url: `${receiver.url}/hook` })
  })
  const titles = () => receiver.received.map(({ body }) => (JSON.parse(body) as { data: { title: string } }).data.title)
  const addIssues = async (count: number) => {
    const ids: number[] = []
    for (let index = 0; index < count; index++) ids.push(await world.addIssue())
    return ids
  }

  test('a fatal new issue in a burst gets a separate message, and the summary lists new issues first', async () => {
    const [fatal = 0, fresh = 0, first = 0, ...resolved] = await addIssues(103)
    const ruleId = await world.addRule([hook], { when: ['new-issue', 'resolved'] })
    await world.tell(ruleId, [world.issueMessage(first)])
    await world.tell(ruleId, [
      ...resolved.map(id => world.issueMessage(id, { type: 'issue.resolved', severity: 'info' })),
      world.issueMessage(fresh),
      world.issueMessage(fatal, { severity: 'critical' }),
    ])
    await world.worker('a').run()
    expect(titles().toSorted()).toEqual([`New: Error: ${fatal}`, `New: Error: ${first}`].toSorted())
    world.clock.now += 61_000
    await world.flush()
    await world.worker('a').run()
    expect(titles().at(-1)).toBe(`New: Error: ${fresh}, and 100 more alerts`)
    const summary = JSON.parse(receiver.received.at(-1)?.body ?? '{}') as {
      data: { items: { title: string }[]; rest: string[] }
    }
    expect(summary.data.items.map(({ title }) => title)).toEqual([`New: Error: ${fresh}`])
    expect(summary.data.rest).toEqual(['100 issues resolved'])
  })

  test('what was collected about a project that is deleted meanwhile is not sent', async () => {
    const ruleId = await world.addRule([hook])
    const [first = 0, ...others] = await addIssues(30)
    await world.tell(ruleId, [world.issueMessage(first)])
    await world.tell(
      ruleId,
      others.map(id => world.issueMessage(id)),
    )
    await world.worker('a').run()
    const { organizationId, web } = world
    await deleteProject(world.context, { organizationId, projectId: web, confirmation: 'web' })
    await world.settle()
    expect(titles()).toEqual([`New: Error: ${first}`])
  })

  test('a channel at its limit still has room for what is critical, and only the rest becomes a summary', async () => {
    const ruleId = await world.addRule([hook])
    const ids = await addIssues(maxInWindow + 5)
    await world.enqueueAll(
      ids.map(id => ({ channelId: hook, key: `issue ${id}`, message: world.issueMessage(id), subject: `issue/${id}` })),
    )
    const worker = world.worker('a')
    await worker.run()
    expect(receiver.received).toHaveLength(maxInWindow)
    const [fatal = 0] = await addIssues(1)
    await world.tell(ruleId, [world.issueMessage(fatal, { severity: 'critical' })])
    expect(await foldOverflow(world.control.db, world.clock.now)).toBe(5)
    await worker.run()
    expect(titles().at(-1)).toBe(`New: Error: ${fatal}`)
    world.clock.now += windowMs
    await worker.run()
    expect(titles().at(-1)).toMatch(/, and 4 more new issues$/)
  })

  test('the room for what is critical ends, and then it waits instead of becoming part of a summary', async () => {
    const ruleId = await world.addRule([hook])
    const ids = await addIssues(maxInWindow + maxUrgentInWindow + 1)
    await world.tell(
      ruleId,
      ids.map(id => world.issueMessage(id, { severity: 'critical' })),
    )
    const worker = world.worker('a')
    await worker.run()
    expect(receiver.received).toHaveLength(maxInWindow + maxUrgentInWindow)
    expect(await foldOverflow(world.control.db, world.clock.now)).toBe(0)
    world.clock.now += windowMs
    await worker.run()
    expect(new Set(titles()).size).toBe(ids.length)
  })

  test('a pager at its limit is called for what is critical', async () => {
    const channelId = await world.addPager()
    const ruleId = await world.addRule([channelId])
    for (const id of await addIssues(maxInWindow + 5)) {
      await world.enqueueAll([
        { channelId, key: `issue ${id}`, message: world.issueMessage(id), subject: `issue/${id}` },
      ])
    }
    await world.worker('a').run()
    expect(pager.called).toHaveLength(maxInWindow)
    const [fatal = 0] = await addIssues(1)
    await world.tell(ruleId, [world.issueMessage(fatal, { severity: 'critical' })])
    await world.worker('a').run()
    expect(pager.called.at(-1)).toContain(`/issue/${fatal}/`)
  })

  test('type and message of an error are in what every kind of channel shows first', async () => {
    const [issueId = 0] = await addIssues(1)
    await world.control.db
      .updateTable('issue')
      .set({ title: 'TypeError: Cannot read properties of undefined' })
      .where('id', '=', issueId)
      .execute()
    const message = await world.build(world.issueMessage(issueId))
    for (const kind of channelKinds) {
      const settings = { url: 'https://h.test/hook', server: 'https://h.test', topic: '1', chat: '-1', ...kind.sample }
      const request = kind.render?.(message, settings, { now: 0, publicUrl: 'https://h.test' })
      if (request === undefined || kind.id === 'http-template') continue
      expect(request.body, kind.id).toContain('TypeError: Cannot read properties of undefined')
    }
    expect(message.title).toBe('New: TypeError: Cannot read properties of undefined')
  })
})
