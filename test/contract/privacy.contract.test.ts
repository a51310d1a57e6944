/** Own scrubbing rules: who has them, since when they apply, and what the audit log says. */
import { beforeEach, expect, test } from 'vitest'
import { findOwnRules } from '#digest/own-rules/find-own-rules.ts'
import { processRecord } from '#digest/process-record.ts'
import { requestErasure } from '#domain/privacy/erasures.ts'
import { addScrubRule, endScrubRule, listScrubRules, maxRules, switchAddresses } from '#domain/privacy/scrub-rules.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

const rule = { path: 'user.email', pattern: '', action: 'replace' } as const
const payload = { message: 'x', user: { id: '7', email: 'ada@shop.example', ip_address: '203.0.113.9' } }

onEachEngine(({ newAcme }) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
  })
  const ofProject = () => ({ organizationId: 1, projectId: world.web })
  const ofAll = { organizationId: 1, projectId: null }

  /** The user of an event that a project received then. */
  async function storedUser(projectId: number, receivedAt: number): Promise<Record<string, string>> {
    const ownRules = await findOwnRules(world.control, new Set([projectId]), 'key')
    const record = makeRecord([{ type: 'event', payload }], {}, { projectId, receivedAt })
    const { rows } = processRecord(record, { ...testContext, ownRules })
    return JSON.parse(rows.events?.[0]?.data ?? '{}').user
  }

  test('a rule applies from a few seconds after it was added until a few seconds after it ended, also on a repeat', async () => {
    const added = await addScrubRule(world.context, ofProject(), rule)
    if (!added.ok) throw new Error(added.code)
    expect(await storedUser(world.web, startedAt)).toMatchObject({ email: 'ada@shop.example' })
    expect(await storedUser(world.web, startedAt + 5_000)).toMatchObject({ id: '7', email: '[scrubbed]' })
    expect(await storedUser(world.other, startedAt + 5_000)).toMatchObject({ email: 'ada@shop.example' })
    world.clock.now += 60_000
    expect(await endScrubRule(world.context, ofProject(), added.id)).toEqual({ ok: true })
    expect(await storedUser(world.web, startedAt + 61_000)).toMatchObject({ email: '[scrubbed]' })
    expect(await storedUser(world.web, startedAt + 70_000)).toMatchObject({ email: 'ada@shop.example' })
    expect(await endScrubRule(world.context, ofProject(), added.id)).toEqual({ ok: false, code: 'rule_not_found' })
  })

  test('rules of the organization apply to all its projects, and to no other organization', async () => {
    await addScrubRule(world.context, ofAll, { ...rule, action: 'hash' })
    await switchAddresses(world.context, ofAll, false)
    for (const projectId of [world.web, world.other]) {
      const user = await storedUser(projectId, startedAt + 5_000)
      expect(user.email).toMatch(/^hash:[0-9a-f]{16}$/)
      expect(user).not.toHaveProperty('ip_address')
    }
    const { id } = await world.control.db
      .insertInto('organization')
      .values({ slug: 'rival', name: 'Rival', created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(
      (
        await listScrubRules(
          viewAs({ control: world.control }, { projects: [], organization: { id, slug: 'rival', name: '' } }),
        )
      ).rules,
    ).toEqual([])
    expect(await addScrubRule(world.context, { organizationId: id, projectId: world.web }, rule)).toEqual({
      ok: false,
      code: 'project_not_found',
    })
    const all = await listScrubRules(viewAs({ control: world.control }, { projects: [world.web] }))
    expect(all).toMatchObject({
      rules: [{ path: 'user.email', action: 'hash', projectId: null }],
      withoutAddresses: [null],
    })
    const [listed] = all.rules
    expect(await endScrubRule(world.context, { organizationId: id, projectId: null }, listed?.id ?? 0)).toMatchObject({
      ok: false,
    })
    expect(await endScrubRule(world.context, ofProject(), listed?.id ?? 0)).toMatchObject({ ok: false })
  })

  test('addresses are stored again once the switch is back, and a second flip changes nothing', async () => {
    await switchAddresses(world.context, ofProject(), false)
    await switchAddresses(world.context, ofProject(), false)
    world.clock.now += 60_000
    await switchAddresses(world.context, ofProject(), true)
    expect(await storedUser(world.web, startedAt + 30_000)).not.toHaveProperty('ip_address')
    expect(await storedUser(world.web, startedAt + 70_000)).toMatchObject({ ip_address: '203.0.113.9' })
    const actions = await world.control.db
      .selectFrom('audit')
      .select('detail')
      .where('action', '=', 'scrub_rule.addresses')
      .execute()
    expect(actions.map(({ detail }) => JSON.parse(detail).stored)).toEqual(['no', 'yes'])
  })

  test('a rule that cannot run is refused, and there are not too many', async () => {
    expect(await addScrubRule(world.context, ofAll, { ...rule, pattern: '(' })).toEqual({
      ok: false,
      code: 'pattern_invalid',
    })
    for (let at = 0; at < maxRules; at++) await addScrubRule(world.context, ofAll, { ...rule, path: `a${at}` })
    expect(await addScrubRule(world.context, ofAll, rule)).toEqual({ ok: false, code: 'too_many_rules' })
  })

  test('every change is audited, and a deletion without naming the user', async () => {
    const added = await addScrubRule(world.context, ofProject(), rule)
    if (added.ok) await endScrubRule(world.context, ofProject(), added.id)
    await requestErasure(world.context, { organizationId: 1, user: { email: ' ada@shop.example ', id: '' } })
    expect(await requestErasure(world.context, { organizationId: 1, user: { id: ' ' } })).toEqual({
      ok: false,
      code: 'user_missing',
    })
    const entries = await world.control.db
      .selectFrom('audit')
      .select(['action', 'actor', 'detail'])
      .where(({ or, eb }) => or([eb('action', 'like', 'scrub%'), eb('action', 'like', 'user_data%')]))
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['scrub_rule.create', 'scrub_rule.end', 'user_data.delete'])
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set([world.context.actor]))
    expect(JSON.parse(entries[2]?.detail ?? '')).toEqual({ by: 'email' })
  })
})
