import { expect, test } from 'vitest'
import { readAlertsFile } from './rules-file.ts'

const read = (given: unknown, variables: Record<string, string> = {}) => readAlertsFile(given, name => variables[name])

test('the smallest rule has a name, a trigger and a channel', () => {
  const result = read({
    channels: [{ name: 'hook', kind: 'webhook', url: 'http://127.0.0.1:9999/hook' }],
    rules: [{ name: 'new in web', project: 'web', when: ['new-issue', 'regression'], channels: ['hook'] }],
  })
  expect(result).toMatchObject({
    ok: true,
    file: {
      channels: [{ name: 'hook', kind: 'webhook', settings: { url: 'http://127.0.0.1:9999/hook' } }],
      rules: [{ name: 'new in web', channels: ['hook'], isOn: true, config: { when: ['new-issue', 'regression'] } }],
    },
  })
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
  expect(faults({ rules: [{ name: 'a', when: ['sometimes'] }] })[0]).toMatch(/^rules\[1\]\.when/)
  expect(faults({ rules: [{ name: 'a', at_most_every: 'soon' }] })[0]).toContain('"soon" is not a duration')
  expect(faults({ rules: [{ name: 'a', wen: [] }] })[0]).toMatch(/^rules\[1\]/)
  expect(faults({ rules: [{ name: 'a' }, { name: 'a' }] })).toEqual(['rules: the name "a" occurs twice'])
  expect(faults('text')[0]).toMatch(/^file/)
})
