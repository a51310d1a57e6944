import { expect, test } from 'vitest'
import { listRules } from '#domain/alerts/list-rules.ts'
import { metricSchema } from '#domain/alerts/metric.ts'
import { kindsOf } from '#domain/alerts/rule.ts'
import { deleteRule, snoozeRule } from '#domain/alerts/save-rule.ts'
import { splitRule } from '#domain/alerts/split-rule.ts'
import { makeAlertWorld } from './alert-world.ts'
import { onEachEngine } from './on-each-engine.ts'

const minuteMs = 60_000

onEachEngine(({ newControl }) => {
  test('a rule with several kinds is split into one of each, which say the same together', async () => {
    const { world, addRule, viewer, send, run, types } = await makeAlertWorld(await newControl())
    const organizationId = 1
    const until = world.clock.now + 60 * minuteMs
    const counts = [{ of: 'events' as const, above: 5, percentMore: null, withinMs: minuteMs }]
    const metric = metricSchema.parse({ dataset: 'errors', measure: 'count()', windowMs: minuteMs, critical: 9 })
    const ruleId = await addRule({ name: 'all', when: ['new-issue'], counts, metric })
    await addRule({ name: 'all (counts)' })
    await snoozeRule(world.context, { organizationId, ruleId, until })
    const split = () => splitRule(world.context, { organizationId, ruleId, scope: [world.web] })
    expect(await splitRule(world.context, { organizationId, ruleId: ruleId + 99 })).toMatchObject({
      code: 'rule_not_found',
    })
    expect(await split()).toMatchObject({ ok: true, ruleIds: [expect.any(Number), expect.any(Number)] })
    const rules = (await listRules(viewer())).filter(({ name }) => name.startsWith('all') && name !== 'all (counts)')
    expect(
      rules
        .map(({ name, config, channels, snoozedUntil }) => [name, kindsOf(config), channels.length, snoozedUntil])
        .toSorted(),
    ).toEqual([
      ['all (counts 2)', ['count'], 1, until],
      ['all (issues)', ['issue'], 1, until],
      ['all', ['metric'], 1, until],
    ])
    const detectors = await world.control.db
      .selectFrom('detector')
      .select('rule_id')
      .where('rule_id', 'is not', null)
      .execute()
    expect(detectors).toEqual([{ rule_id: ruleId }])
    expect(await split()).toEqual({ ok: false, code: 'rule_has_one_kind' })
    const issues = rules.find(({ name }) => name === 'all (issues)')
    await deleteRule(world.context, {
      organizationId,
      ruleId: (await listRules(viewer())).find(({ name }) => name === 'all (counts)')?.id ?? 0,
    })
    await snoozeRule(world.context, { organizationId, ruleId: issues?.id ?? 0, until: null })
    await send('TypeError')
    await run()
    expect(await types()).toEqual(['issue.new'])
  })
})
