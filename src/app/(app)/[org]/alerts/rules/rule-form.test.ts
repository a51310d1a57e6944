import { expect, test } from 'vitest'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { withPresent } from './duration-options.tsx'
import { fieldsOfRule, readRuleForm } from './rule-form.ts'

function formOf(fields: Record<string, string | readonly string[] | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const each of [value ?? []].flat()) form.append(name, each as string)
  return form
}

const config = ruleConfig.parse({
  when: ['new-issue', 'escalation'],
  counts: [{ of: 'users', above: 50, percentMore: 200, withinMs: 3_600_000 }],
  metric: {
    dataset: 'spans',
    measure: 'failure_rate()',
    query: 'route:/checkout',
    windowMs: 300_000,
    direction: 'above',
    critical: 0.03,
    warning: 0.02,
  },
  filter: 'level:error',
  environments: ['production', 'staging'],
  atMostEveryMs: 3_600_000,
  quiet: { from: '22:00', to: '07:00', zone: 'Europe/Berlin' },
})
const rule = { name: 'all', projectId: 3, isOn: true, ownerUserId: 'u1', config, channels: [{ id: 1 }, { id: 2 }] }

test('the fields of a rule say the same rule again', () => {
  expect(readRuleForm(formOf({ ...fieldsOfRule(rule), rule: '7' }))).toEqual({
    ok: true,
    input: { ruleId: 7, name: 'all', projectId: 3, config, isOn: true, channelIds: [1, 2], ownerUserId: 'u1' },
  })
})

test.each([
  ['issue', { when: ['new-issue', 'escalation'], counts: [], metric: null }],
  ['count', { when: [], counts: config.counts, metric: null }],
  ['metric', { when: [], counts: [], metric: config.metric }],
] as const)('a rule about one kind (%s) forgets what was entered for the others', (kind, expected) => {
  const fields = { ...fieldsOfRule(rule), kind }
  for (const ruleId of ['7', '']) {
    const read = readRuleForm(formOf({ ...fields, rule: ruleId }))
    expect(read.ok && read.input.config).toEqual({ ...config, ...expected })
  }
  const wrong = { countAbove: kind === 'count' ? '1' : 'many', metricCritical: kind === 'metric' ? '4' : 'much' }
  expect(readRuleForm(formOf({ ...fields, ...wrong })).ok).toBe(true)
})

test('a new rule has one kind, and a metric is chosen', () => {
  const faultsOf = (change: Record<string, string>) => {
    const read = readRuleForm(formOf({ ...fieldsOfRule(rule), rule: '', ...change }))
    return read.ok ? {} : read.faults
  }
  expect(faultsOf({})).toEqual({ kind: 'Choose what the rule is about.' })
  expect(faultsOf({ kind: 'nonsense' })).toEqual({ kind: 'Choose what the rule is about.' })
  const warning = { metricCritical: 'The warning limit must be at most the critical one.' }
  expect(faultsOf({ kind: 'metric', metricCritical: '1' })).toEqual(warning)
  expect(faultsOf({ kind: 'metric', metricOf: '' })).toEqual({ metricOf: 'Choose a metric.' })
})

test('nonsense in any field of a stored rule is refused, in words', () => {
  const base = { ...fieldsOfRule(rule), rule: '7' }
  const free = ['name', 'metricQuery', 'filter', 'environments', 'owner']
  const fields = [
    ...Object.keys(base),
    'metricWarning',
    'metricResolved',
    'metricNoDataAfter',
    'moreCounts',
    'isOn',
    'quietZone',
  ]
  for (const field of fields.filter(name => !free.includes(name))) {
    for (const nonsense of ['nonsense', '1 or so', '0x10', '{}']) {
      const read = readRuleForm(formOf({ ...base, [field]: nonsense }))
      expect([field, nonsense, read.ok]).toEqual([field, nonsense, false])
      if (!read.ok) expect(Object.values(read.faults).join(), field).not.toMatch(/Invalid input/)
    }
  }
  for (const field of ['countAbove', 'metricMinutes', 'metricFor', 'countMinutes', 'everyMinutes'])
    expect([field, readRuleForm(formOf({ ...base, [field]: ' ' })).ok]).toEqual([field, false])
})

test('what only a file of rules can say stays when the rule is saved here', () => {
  const written = ruleConfig.parse({
    ...config,
    counts: [...config.counts, { of: 'events', above: 9_000, withinMs: 60_000 }],
    metric: {
      ...config.metric,
      measure: 'p90(span.duration)',
      critical: 800,
      warning: null,
      leastRows: 50,
      noData: 'alert',
      noDataAfterMs: 1_800_000,
    },
  })
  const read = readRuleForm(formOf({ ...fieldsOfRule({ ...rule, config: written }), rule: '7' }))
  expect(read.ok && read.input.config).toEqual(written)
})

test('a list offers the present value, too', () => {
  const choices = [
    [0, 'every time'],
    [60, '1 hour'],
    [1_440, '1 day'],
  ] as const
  expect(withPresent(choices, '60')).toEqual(choices)
  expect(withPresent(choices, '')).toEqual(choices)
  expect(withPresent(choices, '120').map(([, label]) => label)).toEqual(['every time', '1 hour', '2 hours', '1 day'])
  expect(withPresent(choices, '90').map(([, label]) => label)).toContain('90 minutes')
})

test('a wrong field is named', () => {
  const faultsOf = (fields: Record<string, string>) => {
    const read = readRuleForm(formOf({ ...fieldsOfRule(rule), ...fields }))
    return read.ok ? [] : Object.keys(read.faults)
  }
  expect(faultsOf({ countAbove: 'many' })).toEqual(['countAbove'])
  expect(faultsOf({ metricCritical: 'much' })).toEqual(['metricCritical'])
  expect(faultsOf({ metricCritical: '' })).toEqual(['metricCritical'])
  expect(faultsOf({ metricNoDataAfter: '0' })).toEqual(['metricNoDataAfter'])
  expect(faultsOf({ quietZone: 'Mars' })).toEqual(['quietZone'])
  expect(faultsOf({ quietTo: '' })).toEqual(['quietZone'])
  expect(faultsOf({ filter: 'x'.repeat(2_001) })).toEqual(['filter'])
})
