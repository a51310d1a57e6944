/** `hydrant alerts apply`: a file says which channels and rules there are. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { alerts } from '#cli/alerts.ts'
import { init } from '#cli/init.ts'
import { openControl } from '#store/control/open-control.ts'

const folder = mkdtempSync(join(tmpdir(), 'hydrant-alerts-'))
const file = join(folder, 'alerts.yaml')

beforeAll(async () => {
  vi.stubEnv('HYDRANT_DATA_DIR', join(folder, 'data'))
  vi.stubEnv('HYDRANT_OUTBOUND_ALLOW', '127.0.0.0/8')
  vi.stubEnv('HOOK_PATH', 'secret-path')
  const account = ['--email', 'ada@example.com', '--password', 'correct horse']
  const { code } = await run(init, ['--org', 'acme', '--project', 'web', ...account])
  expect(code).toBe(0)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

async function run(command: typeof alerts, args: string[]) {
  const lines: string[] = []
  const faults: string[] = []
  const code = await command.run(args, {
    print: text => void lines.push(text),
    printError: text => void faults.push(text),
    readInput: async () => '',
  })
  return { code, lines, faults }
}

const apply = (text: string, ...flags: string[]) => {
  writeFileSync(file, text)
  return run(alerts, ['apply', file, '--org', 'acme', ...flags])
}
async function stored() {
  const control = openControl({ dataDir: join(folder, 'data') })
  const rules = await control.db.selectFrom('alert_rule').select('name').orderBy('name').execute()
  const channels = await control.db.selectFrom('channel').select('name').orderBy('name').execute()
  const audit = await control.db.selectFrom('audit').select(['action', 'actor']).where('actor', '=', 'cli').execute()
  await control.close()
  return {
    rules: rules.map(({ name }) => name),
    channels: channels.map(({ name }) => name),
    audit: audit.map(({ action }) => action).filter(action => /^(?:rule|channel)\./.test(action)),
  }
}

const small = `
channels:
  - { name: hook, kind: webhook, url: "http://127.0.0.1:9999/\${HOOK_PATH}" }
rules:
  - { name: new in web, project: web, when: [new-issue, regression, escalation], channels: [hook] }
`

test('a small file creates a channel and a rule, and the same file changes nothing', async () => {
  const dry = await apply(small, '--dry-run')
  expect(dry.lines[0]).toBe('+ channel hook (webhook; a secret will be generated)')
  const first = await apply(small)
  expect(first).toMatchObject({ code: 0, faults: [] })
  expect(first.lines[0]).toMatch(/^\+ channel hook \(webhook; secret whsec_\S+, shown once\)$/)
  expect(first.lines.slice(1)).toEqual(['+ rule new in web', '2 changed, 0 unchanged.'])
  expect(await apply(small)).toMatchObject({ code: 0, lines: ['0 changed, 2 unchanged.'] })
  expect(await stored()).toEqual({
    rules: ['new in web'],
    channels: ['hook'],
    audit: ['channel.create', 'rule.create'],
  })
})

test('a change is shown and made; a dry run only shows it', async () => {
  const changed = small.replace('escalation]', 'escalation, resolved], at_most_every: 1h')
  const lines = ['~ rule new in web (when, at_most_every)']
  expect(await apply(changed, '--dry-run')).toMatchObject({ lines: [...lines, '1 would change, 1 unchanged.'] })
  expect(await apply(changed)).toMatchObject({ lines: [...lines, '1 changed, 1 unchanged.'] })
  expect(await apply(changed)).toMatchObject({ lines: ['0 changed, 2 unchanged.'] })
})

test('a rule can be snoozed, a channel moved and switched off, and the audit log tells it field by field', async () => {
  const moved = small.replace('kind: webhook,', 'kind: webhook, project: web, on: false,')
  const changed = moved.replace('escalation]', 'escalation], filter: "level:error", snoozed_until: 2026-12-01T08:00Z')
  expect(await apply(changed)).toMatchObject({
    lines: [
      '~ channel hook (project, on)',
      '~ rule new in web (when, filter, at_most_every, snoozed_until)',
      '2 changed, 0 unchanged.',
    ],
  })
  expect(await apply(changed)).toMatchObject({ lines: ['0 changed, 2 unchanged.'] })
  // What the file leaves out stays snoozed and switched off.
  expect(await apply(changed.replace(/ on: false,|, snoozed_until: \S+Z/g, ''))).toMatchObject({
    lines: ['0 changed, 2 unchanged.'],
  })
  const control = openControl({ dataDir: join(folder, 'data') })
  const entries = await control.db.selectFrom('audit').select(['action', 'before', 'after']).orderBy('id').execute()
  await control.close()
  const told = entries.map(({ action, before, after }) => [action, before, after].join(' '))
  expect(told.slice(-4)).toEqual([
    'channel.change {"project":"all"} {"project":"web"}',
    'channel.disable  ',
    'rule.change {"when":"new-issue, regression, escalation, resolved","at most every":"1 hour"} {"when":"new-issue, regression, escalation","filter":"level:error","at most every":"30 minutes"}',
    'rule.snooze {} {"snoozed until":"2026-12-01 08:00 UTC"}',
  ])
  expect(told.join()).not.toContain('secret-path')
})

test('nothing is deleted without --prune', async () => {
  expect(await apply('rules: []')).toMatchObject({ lines: ['0 changed, 0 unchanged.'] })
  expect((await stored()).rules).toEqual(['new in web'])
  expect(await apply('rules: []', '--prune')).toMatchObject({
    lines: ['- channel hook (webhook)', '- rule new in web', '2 changed, 0 unchanged.'],
  })
  expect(await stored()).toMatchObject({ rules: [], channels: [] })
})

test('a file with a mistake changes nothing, and every mistake is named', async () => {
  const wrong = `${small}  - { name: other, project: nowhere, when: [new-issue], channels: [pager] }\n`
  expect(await apply(wrong)).toEqual({
    code: 1,
    lines: [],
    faults: [
      'rule other: there is no project "nowhere"',
      'rule other: there is no channel "pager"',
      'Nothing was changed.',
    ],
  })
  expect(await stored()).toMatchObject({ rules: [], channels: [] })
  expect((await apply('rules: [{ name: a, when: [never] }]')).faults[0]).toMatch(/^rule "a": when/)
  expect((await apply('rules: [')).faults[0]).toContain('alerts.yaml')
  expect((await apply(small.replace('127.0.0.1', '10.0.0.1'))).faults[0]).toContain('channel hook: url')
})

test('a rule that uses a tag without events is refused, unless --force is given', async () => {
  const rule = (query: string) => `
rules:
  - { name: typo, project: web, metric: { of: errors, query: "${query}", above: 3, no_data: alert, no_data_after: 30m } }
`
  const fault = 'rule typo: query: No event in the last 30 days has the tag typ. Did you mean type?'
  const hint = 'Use --force to apply the file in spite of this.'
  expect(await apply(rule('typ:TypeError'))).toMatchObject({ code: 1, faults: [fault, hint, 'Nothing was changed.'] })
  expect((await stored()).rules).not.toContain('typo')
  expect(await apply(rule('type:TypeError'), '--dry-run')).toMatchObject({ code: 0, faults: [] })
  expect(await apply(rule('typ:TypeError'), '--force')).toMatchObject({ code: 0, faults: [`Warning: ${fault}`] })
  expect((await stored()).rules).toContain('typo')
  // A rule that is already stored is accepted without --force.
  expect(await apply(rule('typ:TypeError'))).toMatchObject({ code: 0, faults: [], lines: ['0 changed, 1 unchanged.'] })
  const control = openControl({ dataDir: join(folder, 'data') })
  const { config } = await control.db
    .selectFrom('alert_rule')
    .select('config')
    .where('name', '=', 'typo')
    .executeTakeFirstOrThrow()
  await control.close()
  expect(JSON.parse(config).metric).toMatchObject({ noData: 'alert', noDataAfterMs: 1_800_000 })
}, 120_000)

test('the fault of a channel names the kinds and settings there are', async () => {
  const faultOf = async (channel: string) => (await apply(`channels:\n  - { name: c, ${channel} }\n`)).faults.join()
  expect(await faultOf('kind: http')).toContain('kinds are email, slack, discord,')
  expect(await faultOf('kind: slack, channel: ops')).toContain('slack has no channel; its settings are url, format')
  expect(await faultOf('kind: slack')).toContain('url: This setting is missing.')
})
