import { expect, test } from 'vitest'
import { ruleConfig } from './rule.ts'
import { ruleValues } from './rule-values.ts'

const rule = {
  name: 'rule',
  project: 'web',
  isOn: true,
  channels: ['hook', 'chat'],
  ownerUserId: null,
  snoozedUntil: null,
  config: ruleConfig.parse({ when: ['new-issue'] }),
}
const metric = { dataset: 'spans', measure: 'p95(span.duration)', windowMs: 300_000, critical: 2_000 }

test('a rule is told in words, without what is empty', () => {
  expect(ruleValues(rule)).toEqual({
    name: 'rule',
    project: 'web',
    on: true,
    when: 'new-issue',
    channels: 'chat, hook',
    'at most every': '30 minutes',
    'follows settings': false,
  })
})

test('a change of any field can be seen', () => {
  const others = {
    when: ['regression'],
    counts: [{ of: 'users', above: 50, withinMs: 3_600_000 }],
    metric,
    filter: 'level:error',
    environments: ['production'],
    atMostEveryMs: 0,
    quiet: { from: '22:00', to: '07:00', zone: 'Europe/Berlin' },
    followsSettings: true,
  }
  expect(Object.keys(others)).toEqual(Object.keys(ruleConfig.shape))
  for (const [field, value] of Object.entries(others))
    expect(ruleValues({ ...rule, config: ruleConfig.parse({ ...rule.config, [field]: value }) })).not.toEqual(
      ruleValues(rule),
    )
  const limits = { warning: 1_000, resolved: 900, leastRows: 10, forMinutes: 5, direction: 'below', query: 'a:b' }
  const of = (more: object) =>
    ruleValues({ ...rule, config: ruleConfig.parse({ ...rule.config, metric: { ...metric, ...more } }) })
  for (const [field, value] of Object.entries({ ...limits, compare: 'usual', windowMs: 600_000, critical: 3 }))
    expect(of({ [field]: value })).not.toEqual(of({}))
})
