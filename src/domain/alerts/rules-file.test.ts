import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { channelKinds } from '#domain/channels/kinds/list.ts'
import { metricSchema } from './metric.ts'
import { ruleConfig } from './rule.ts'
import { readAlertsFile } from './rules-file.ts'

const read = (given: unknown, variables: Record<string, string> = {}) => readAlertsFile(given, name => variables[name])

/** As the documentation of the command promises it. */
const small = `channels:
  - { name: hook, kind: webhook, url: "http://127.0.0.1:9999/hook" }   # needs HYDRANT_OUTBOUND_ALLOW=127.0.0.0/8
rules:
  - { name: new in web, project: web, when: [new-issue, regression, escalation], channels: [hook] }
`

test('the smallest rule has a name, a trigger and a channel', () => {
  const when = ['new-issue', 'regression', 'escalation']
  expect(read(parse(small))).toMatchObject({
    ok: true,
    file: {
      channels: [{ name: 'hook', kind: 'webhook', settings: { url: 'http://127.0.0.1:9999/hook' } }],
      rules: [{ name: 'new in web', project: 'web', channels: ['hook'], isOn: true, config: { when } }],
    },
  })
})

test('every field of a rule has a key', () => {
  const ruleOf = (given: object) => {
    const result = read({ rules: [{ name: 'rule', ...given }] })
    if (!result.ok || result.file.rules[0] === undefined) throw new Error(JSON.stringify(result))
    return result.file.rules[0]
  }
  /** By field: keys that change it, and no other field of its kind. */
  const expectChanges = (keys: Record<string, object>, fields: string[], readFields: (given: object) => object) => {
    expect(Object.keys(keys).toSorted()).toEqual(fields.toSorted())
    const before = Object.entries(readFields({}))
    for (const [field, given] of Object.entries(keys)) {
      const after: Record<string, unknown> = { ...readFields(given) }
      const changed = before.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name]))
      expect(changed.map(([name]) => name)).toEqual([field])
    }
  }
  const configKeys = {
    when: { when: 'resolved' },
    counts: { counts: { above: 5, within: '1h' } },
    metric: { metric: { of: 'p95', above: 1 } },
    filter: { filter: 'level:error' },
    environments: { environments: 'production' },
    atMostEveryMs: { at_most_every: '1h' },
    quiet: { quiet: { from: '22:00', to: '07:00' } },
    followsSettings: { follows_settings: true },
  }
  expectChanges(configKeys, Object.keys(ruleConfig.shape), given => ruleOf(given).config)

  const metricOf = (given: object) => ruleOf({ metric: { of: 'errors', above: 10, ...given } }).config.metric ?? {}
  const metricKeys = {
    dataset: { dataset: 'logs' },
    measure: { measure: 'count_unique(user)' },
    query: { query: 'a:b' },
    windowMs: { window: '1h' },
    compare: { compare: 'usual' },
    direction: { above: undefined, below: 10 },
    critical: { above: 20 },
    warning: { warning: 3 },
    resolved: { resolved: 4 },
    forMinutes: { for_minutes: 5 },
    leastRows: { least_rows: 6 },
    noData: { no_data: 'alert' },
    noDataAfterMs: { no_data_after: '30m' },
  }
  expectChanges(metricKeys, Object.keys(metricSchema.shape), metricOf)

  const countOf = (given: object) => ruleOf({ counts: { above: 5, within: '1h', ...given } }).config.counts[0] ?? {}
  const countKeys = {
    of: { of: 'users' },
    above: { above: 6 },
    withinMs: { within: '2h' },
    percentMore: { percent_more: 7 },
  }
  expectChanges(countKeys, Object.keys(ruleConfig.shape.counts.unwrap().element.shape), countOf)

  const snoozed_until = '2026-12-01T08:00Z'
  const around = ruleOf({ project: 'web', channels: 'hook', owner: 'ada@example.com', on: false, snoozed_until })
  expect(around).toMatchObject({ project: 'web', channels: ['hook'], owner: 'ada@example.com', isOn: false })
  expect(around.snoozedUntil).toBe(Date.parse(snoozed_until))
})

test.each([
  [
    { rules: [{ name: 'old' }, { name: 'new', when: ['new-issue', 'regresion'] }] },
    'rule "new": when: "regresion" is not one of new-issue, regression, escalation, resolved, incident',
  ],
  [
    { rules: [{ name: 'new', when: 'regresion' }] },
    'rule "new": when: "regresion" is not one of new-issue, regression, escalation, resolved, incident',
  ],
  [
    { rules: [{ when: 5 }] },
    'rule number 1: when: 5 is not one of new-issue, regression, escalation, resolved, incident',
  ],
  [{ rules: [{ name: 'a', metric: { of: 'p99' } }] }, /^rule "a": metric: of: "p99" is not one of failure-rate, /],
  [
    { rules: [{ name: 'a', at_most_every: 'often' }] },
    'rule "a": at_most_every: "often" is not a duration such as 30m, 1h or 7d',
  ],
  [{ channels: [{ kind: 'webhook' }] }, /^channel number 1: name: /],
  ['rules', /^file: /],
])('a wrong value is named, with its rule and what it may be: %j', (given, expected) => {
  const result = read(given)
  const faults = result.ok ? [] : result.faults
  expect(faults).toContainEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
})

test('every setting of every kind of channel has a key, which no other key hides', () => {
  for (const { id, fields } of channelKinds) {
    const settings = Object.fromEntries(fields.map(({ name }) => [name, `value of ${name}`]))
    const channel = { name: 'channel', kind: id, project: 'web', on: false }
    expect(read({ channels: [{ ...channel, ...settings }] })).toEqual({
      ok: true,
      file: { channels: [{ name: 'channel', kind: id, project: 'web', isOn: false, settings }], rules: [] },
    })
  }
})

test('a rule can say all that the editor can', () => {
  const result = read({
    rules: [
      {
        name: 'many',
        counts: { of: 'users', above: 50, within: '1h', percent_more: 200 },
        metric: { of: 'p95', query: 'route:/checkout', window: '15m', above: 2_000, warning: 1_000, for_minutes: 5 },
        filter: 'level:error',
        environments: 'production',
        at_most_every: '6h',
        quiet: { from: '22:00', to: '07:00', zone: 'Europe/Berlin' },
        on: false,
      },
    ],
  })
  expect(result.ok && result.file.rules[0]).toMatchObject({
    isOn: false,
    config: {
      counts: [{ of: 'users', above: 50, withinMs: 3_600_000, percentMore: 200 }],
      metric: {
        dataset: 'spans',
        measure: 'p95(span.duration)',
        windowMs: 900_000,
        direction: 'above',
        critical: 2_000,
        warning: 1_000,
        forMinutes: 5,
      },
      filter: 'level:error',
      environments: ['production'],
      atMostEveryMs: 6 * 3_600_000,
      quiet: { from: '22:00', to: '07:00', zone: 'Europe/Berlin' },
    },
  })
})

test('secrets come from variables, and a missing one is named', () => {
  const channels = [{ name: 'pager', kind: 'pagerduty', key: ['$', '{PAGER_KEY}'].join('') }]
  expect(read({ channels }, { PAGER_KEY: 'k1' })).toMatchObject({ file: { channels: [{ settings: { key: 'k1' } }] } })
  expect(read({ channels })).toEqual({ ok: false, faults: ['the variable PAGER_KEY is not set'] })
})

test('what is wrong is said with its place', () => {
  const faults = (given: unknown) => {
    const result = read(given)
    return result.ok ? [] : result.faults
  }
  expect(faults({ rules: [{ name: 'a', when: ['sometimes'] }] })[0]).toMatch(/^rule "a": when/)
  expect(faults({ rules: [{ name: 'a', at_most_every: 'soon' }] })[0]).toContain('"soon" is not a duration')
  expect(faults({ rules: [{ name: 'a', snoozed_until: 'tomorrow' }] })[0]).toContain('"tomorrow" is not a time')
  expect(faults({ rules: [{ name: 'a', wen: [] }] })[0]).toBe('rule "a": Unrecognized key: "wen"')
  expect(faults({ rules: [{ name: 'a' }, { name: 'a' }] })).toEqual(['rules: the name "a" occurs twice'])
  expect(faults('text')[0]).toMatch(/^file/)
})

test('limits that contradict each other are refused', () => {
  const faultsOf = (metric: object) => {
    const result = read({ rules: [{ name: 'slow', channels: [], metric: { of: 'p95', ...metric } }] })
    return result.ok ? [] : result.faults
  }
  for (const fine of [
    { above: 5, warning: 5, resolved: 5 },
    { above: 5, warning: 3, resolved: 1 },
    { below: 5, warning: 7, resolved: 9 },
    { above: 5, resolved: 2 },
  ])
    expect(faultsOf(fine)).toEqual([])
  expect(faultsOf({ above: 5, below: 1 })).toEqual(['rule slow: metric: Give above or below, not both.'])
  expect(faultsOf({ above: 5, warning: 9 })).toEqual([
    'rule slow: metric: The warning limit must be at most the critical one.',
  ])
  expect(faultsOf({ below: 5, warning: 3 })).toEqual([
    'rule slow: metric: The warning limit must be at least the critical one.',
  ])
  expect(faultsOf({ above: 5, warning: 3, resolved: 4 })).toEqual([
    'rule slow: metric: The resolved limit must be at most the warning one.',
  ])
})
