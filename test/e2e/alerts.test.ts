/** Alerts in a running Hydrant: who hears of what by mail, webhook, pager and bell, and how often. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordFinding } from '#domain/alerts/incidents.ts'
import { metricSchema } from '#domain/alerts/metric.ts'
import { addUserAsMember } from '#domain/members/add-member.ts'
import { setProjectAccess } from '#domain/projects/project-access.ts'
import type { Control } from '#store/control/control.ts'
import { openControl } from '#store/control/open-control.ts'
import { createAlertClock } from '../channels/alert-clock.ts'
import { type Receiver, startReceiver } from '../channels/start-receiver.ts'
import { type Smtp, startSmtp } from '../channels/start-smtp.ts'
import { startMcp } from '../clients/start-mcp.ts'
import { createShiftedClock, type ShiftedClock } from '../faults/shift-clock.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, startHydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { testRuleState } from './alert-suites/rule-state.ts'
import { hydrated } from './hydrated.ts'
import { postEnvelope } from './post-envelope.ts'
import { runProgram } from './run-program.ts'

let clock: ShiftedClock
let time: ReturnType<typeof createAlertClock>
let hydrant: Hydrant
let control: Control
let browser: Browser
let page: Page
let dsn: string
let receiver: Receiver
let smtp: Smtp

beforeAll(async () => {
  clock = await createShiftedClock()
  receiver = await startReceiver()
  smtp = await startSmtp()
  hydrant = await startHydrant({
    env: { ...clock.env, HYDRANT_OUTBOUND_ALLOW: '127.0.0.0/8', SMTP_URL: smtp.url },
  })
  dsn = (await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)).dsn
  control = openControl({ dataDir: hydrant.dataDir })
  time = createAlertClock(hydrant, control, clock)
  browser = await openBrowser()
  page = await browser.newPage({ reducedMotion: 'reduce' })
  await signIn(page, hydrant.url)
})
afterAll(async () => {
  await browser?.close()
  await control?.close()
  await hydrant?.stop()
  await Promise.all([receiver?.stop(), smtp?.stop(), clock?.remove()])
})

beforeEach(async () => {
  await time.endBursts()
  await time.delivered()
  receiver.received.length = 0
  smtp.mails.length = 0
})

const open = async (path: string) => {
  await page.goto(`${hydrant.url}/acme${path}`)
  await hydrated(page)
}
const apply = async (yaml: string) => {
  const file = join(hydrant.dataDir, 'alerts.yaml')
  writeFileSync(file, yaml)
  return hydrant.cli('alerts', 'apply', file, '--org', 'acme')
}
const failure = (type: string, more: object = {}) => ({ exception: { values: [{ type, value: 'no price' }] }, ...more })
const receivedAt = (path: string) =>
  receiver.received.filter(({ url }) => url === path).map(({ body }) => JSON.parse(body) as Record<string, unknown>)

/** The bell and the menu of a phone. */
async function lookOnPhone(): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('link', { name: 'Bell 1 unread' }).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('navigation', { name: 'Main (mobile)' }).getByRole('link', { name: 'Releases' }).click()
  await page.getByRole('heading', { name: 'Releases' }).first().waitFor()
  await page.getByRole('link', { name: 'Account' }).waitFor({ state: 'hidden' })
  await page.setViewportSize(wide)
}

test('an issue reaches the bell, a rule previews it, and a link of a message asks before it changes anything', async () => {
  await postEnvelope(dsn, failure('PriceError'))
  await time.delivered()
  await open('/alerts')
  await page.getByRole('row', { name: /Issues by email.*Members by email/ }).waitFor()
  await page.getByRole('link', { name: /Notifications 1 unread/ }).click()
  await page.getByRole('link', { name: 'New: PriceError: no price' }).waitFor()
  if (isLong) await lookOnPhone()

  await open('/alerts/rules/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('New errors')
  if (isLong) {
    await page.getByRole('textbox', { name: 'Filter' }).fill('level:(')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('alert').filter({ hasText: 'not a valid search' }).first().waitFor()
  }
  await page.getByRole('textbox', { name: 'Filter' }).fill('PriceError')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Would have sent 1 message in the last 14 days.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Filter' }).inputValue()).toBe('PriceError')
  await page.getByRole('button', { name: 'Save rule' }).click()
  await page.getByRole('link', { name: 'New errors' }).waitFor()

  const mail = (smtp.mails[0]?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const [link] = /\/acme\/issues\/\d+\/confirm\?change=resolve/.exec(mail) ?? []
  expect(link).toBeDefined()
  // As a program does that reads mail before its owner.
  expect((await page.request.get(hydrant.url + (link ?? ''))).status()).toBe(200)
  await open((link ?? '').replace('/acme', ''))
  await page.getByText('It is unresolved.').waitFor()
  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Issue resolved.' }).waitFor()

  await open('/notifications')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
})

test('a rule of a file sends a new issue to its channel, once, with all that its reader needs', async () => {
  const file = `channels:
  - { name: hook, kind: webhook, url: "${receiver.url}/hook" }
rules:
  - { name: new in web, project: web, when: [new-issue, regression, escalation], channels: [hook] }
`
  expect(await apply(file)).toContain('+ rule new in web')
  const frame = { filename: 'app:///src/cart.ts', function: 'total', lineno: 7, colno: 3, in_app: true }
  const exception = { values: [{ type: 'CartError', value: 'empty cart', stacktrace: { frames: [frame] } }] }
  const event = {
    release: 'web@1.0.0',
    environment: 'production',
    transaction: '/cart/[id]',
    user: { id: 'u1' },
    exception,
  }
  await postEnvelope(dsn, event)
  await postEnvelope(dsn, event)
  await time.delivered()
  expect(receivedAt('/hook')).toMatchObject([
    {
      type: 'issue.new',
      data: {
        organization: 'acme',
        project: { slug: 'web' },
        title: 'New: CartError: empty cart',
        text: 'empty cart',
        culprit: 'total (app:///src/cart.ts:7)',
        issue: { title: 'CartError: empty cart', release: 'web@1.0.0', environment: 'production', route: '/cart/[id]' },
        reason: { rule: { name: 'new in web' }, text: 'first seen in web@1.0.0' },
        facts: expect.arrayContaining([
          { label: 'Last hour', value: expect.stringMatching(/^[12] events?, 1 user$/) },
          { label: 'Users', value: '1' },
          { label: 'First seen', value: expect.stringMatching(/ UTC in web@1\.0\.0$/) },
        ]),
      },
    },
  ])
  if (!isLong) return
  await open('/alerts')
  await page.getByRole('row', { name: /new in web.*hook/ }).waitFor()
  await page.getByRole('link', { name: 'new in web' }).click()
  await page.getByRole('checkbox', { name: /Members by email/ }).check()
  await page.getByRole('button', { name: 'Preview' }).click()
  // As each channel shows it: the request of the hook, and the mail.
  await page.getByRole('radio', { name: 'hook' }).check()
  await page
    .getByRole('figure', { name: 'As the server gets it' })
    .getByText('"title": "New: CartError: empty cart"')
    .waitFor()
  await page.getByRole('radio', { name: 'Members by email' }).check()
  const mail = page.getByRole('figure', { name: 'As a mail program shows it' }).first()
  await mail.getByText('To ada@example.com').waitFor()
  const drawn = mail.frameLocator('iframe')
  await drawn.getByRole('heading', { name: 'New: CartError: empty cart' }).waitFor()
  await drawn.getByText('total (app:///src/cart.ts:7)').waitFor()
})

test('members get mail without a rule of their own, and only those who see a private project hear of it', async () => {
  const context = { db: control.db, actor: 'test', now: Date.now }
  const bob = { email: 'bob@example.com', name: 'Bob', role: 'member', organizationSlug: 'acme' } as const
  expect(await addUserAsMember(context, { ...bob, password: 'long enough 1' })).toMatchObject({ ok: true })
  const vault = await hydrant.init('--org', 'acme', '--project', 'vault')
  const { id: organizationId } = await control.db.selectFrom('organization').select('id').executeTakeFirstOrThrow()
  const access = { organizationId, projectId: vault.project.id, isPrivate: true, teamIds: [] }
  expect(await setProjectAccess(context, access)).toMatchObject({ ok: true })
  await postEnvelope(dsn, failure('ShopError'))
  await time.delivered()
  expect(smtp.mails.map(({ to }) => to).toSorted()).toEqual(['ada@example.com', 'bob@example.com'])
  expect(smtp.mails[0]?.headers.get('subject')).toMatch(/^\[web\] WEB-\d+ ShopError: no price$/)
  const ids = smtp.mails.map(({ headers }) => headers.get('x-hydrant-id'))
  expect(new Set(ids).size).toBe(1)

  await time.endBursts()
  smtp.mails.length = 0
  receiver.received.length = 0
  await postEnvelope(vault.dsn, failure('VaultError'))
  await time.delivered()
  expect(smtp.mails.map(({ to, headers }) => [to, headers.get('subject')])).toEqual([
    ['ada@example.com', '[vault] VAULT-1 VaultError: no price'],
  ])
  expect(receiver.received).toEqual([])
})

test('a flood of new issues is one message and one summary', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, index) => postEnvelope(dsn, failure(`Flood${index}Error`))))
  await time.delivered()
  await time.endBursts()
  await time.delivered()
  expect(receivedAt('/hook').map(({ type }) => type)).toEqual(['issue.new', 'summary'])
  expect(receivedAt('/hook')[1]).toMatchObject({
    data: { title: expect.stringMatching(/^New: Flood\d+Error: no price, and 38 more new issues$/), more: 19 },
  })
  const toAda = smtp.mails.filter(({ to }) => to === 'ada@example.com')
  expect(toAda.map(({ headers }) => headers.get('subject')).at(1)).toMatch(
    /^\[web\] New: Flood\d+Error: no price, and 38 more new issues$/,
  )
  expect(toAda).toHaveLength(2)
})

longTest('what is resolved closes its alert at the pager', async () => {
  const key = 'a'.repeat(32)
  await apply(`channels:
  - { name: pager, kind: pagerduty, routingKey: ${key}, url: "${receiver.url}/pager" }
rules:
  - { name: pages, when: [new-issue], filter: PagedError, channels: [pager] }
  - { name: many errors, project: web, metric: { of: errors, window: 1m, above: 3 }, channels: [pager] }
`)
  const events = () => receivedAt('/pager').map(({ event_action, dedup_key }) => [event_action, dedup_key])
  await postEnvelope(dsn, failure('PagedError'))
  await until(() => events().length === 1)
  const issue = await control.db
    .selectFrom('issue')
    .select('id')
    .where('title', 'like', 'PagedError%')
    .executeTakeFirstOrThrow()
  await open(`/issues/${issue.id}/confirm?change=resolve`)
  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  await until(() => events().length === 2)
  const pageKey = expect.stringMatching(new RegExp(`^hydrant/acme/issue/${issue.id}/[0-9a-f-]{36}$`))
  expect(events()).toEqual([
    ['trigger', pageKey],
    ['resolve', pageKey],
  ])
  expect(events()[0]?.[1]).toBe(events()[1]?.[1])
  expect(receivedAt('/pager')[0]).toMatchObject({ routing_key: key })

  // Minutes are judged in test/contract/detectors.contract.test.ts: here nothing waits for them.
  const metric = metricSchema.parse({ dataset: 'errors', measure: 'count()', windowMs: 60_000, critical: 3 })
  const { id: detectorId } = await control.db
    .selectFrom('detector')
    .select('id')
    .where('rule_id', 'is not', null)
    .executeTakeFirstOrThrow()
  await control.db.transaction().execute(trx =>
    recordFinding(
      trx,
      {
        ...{ detectorId, value: 4, limits: null, forMinutes: 1, isHigherWorse: true, metric: JSON.stringify(metric) },
        ...{ verdict: { state: 'failing', severity: 'critical' }, reason: () => 'Number of errors is 4, above 3' },
      },
      Math.ceil(time.now() / 60_000) * 60_000,
    ),
  )
  const incident = await control.db.selectFrom('incident').select('id').executeTakeFirstOrThrow()
  await open(`/alerts/incidents/${incident.id}`)
  await page.getByRole('heading', { name: /many errors/ }).waitFor()
  await page.getByText('Number of errors is 4, above 3').first().waitFor()
})

longTest('Sentry’s MCP server and its command line read the rules', async () => {
  const scopes = 'org:read,project:read,event:read'
  const added = await hydrant.cli('token', 'add', '--org', 'acme', '--name', 'ci', '--scopes', scopes, '--json')
  const { token } = JSON.parse(added) as { token: string }
  const mcp = await startMcp({ url: hydrant.url, token })
  try {
    const direct = new Set(await mcp.tools())
    const ask = async (name: string, args: object) => {
      const given = { organizationSlug: 'acme', projectSlug: 'web', ...args }
      const { text, isError } = direct.has(name)
        ? await mcp.call(name, given)
        : await mcp.call('execute_sentry_tool', { name, arguments: given })
      expect(isError, text).toBe(false)
      return text
    }
    const found = JSON.parse(await ask('find_alert_rules', {})) as Record<string, { name: string }[]>
    // Newest first. The one without a project is about this one too.
    expect(found.issueRules?.map(({ name }) => name)).toEqual(['pages', 'new in web', 'New errors', 'Issues by email'])
    expect(found.metricRules?.map(({ name }) => name)).toEqual(['many errors'])
    const rule = await ask('get_alert_rule', { kind: 'issue', ruleIdOrName: 'pages' })
    expect(rule).toContain('New issue')
    expect(rule).toContain('PagedError')
    expect(rule).toContain('Pagerduty')
    const [, link = ''] = /\*\*URL\*\*: (\S+)/.exec(rule) ?? []
    await page.goto(link)
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('pages')
    const metric = await ask('get_alert_rule', { kind: 'metric', ruleIdOrName: 'many errors' })
    expect(metric).toContain('**Aggregate**: count()')
    expect(metric).toContain('Critical threshold: 3')
  } finally {
    await mcp.stop()
  }
  const home = { HOME: hydrant.dataDir, SENTRY_URL: hydrant.url, SENTRY_AUTH_TOKEN: token, NO_COLOR: '1' }
  const sentry = async (...args: string[]) =>
    (await runProgram('node_modules/sentry/dist/bin.cjs', ['alert', ...args], { ...process.env, ...home })).stdout
  expect(await sentry('issues', 'list', 'acme/web')).toMatch(/new in web +│ 3 +│ 1 +│ all +│ active/)
  expect(await sentry('metrics', 'view', 'acme/many errors')).toMatch(/count\(\)/)
})

// Last: another organization.
testRuleState(() => ({ hydrant, browser, time }))
