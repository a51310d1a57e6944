/** A rule written in the browser, a new issue, and who hears of it. */
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, startHydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { hydrated } from './hydrated.ts'
import { postEnvelope } from './post-envelope.ts'

let hydrant: Hydrant
let browser: Browser
let page: Page
let dsn: string
let receiver: Server
/** What the webhook has received. */
const received: { type: string; data: { issue: { title: string } } }[] = []
beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    received.push(JSON.parse(await text(request)))
    response.end('thank you')
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  hydrant = await startHydrant({ env: { HYDRANT_OUTBOUND_ALLOW: '127.0.0.0/8' } })
  dsn = (await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)).dsn
  browser = await openBrowser()
  page = await browser.newPage()
  await signIn(page, hydrant.url)
})
afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
  receiver?.close()
})

const open = async (path: string) => {
  await page.goto(`${hydrant.url}/acme${path}`)
  await hydrated(page)
}

test('an issue reaches the bell, a rule previews it, and a link of a message asks before it changes anything', async () => {
  await open('/alerts')
  await page.getByRole('heading', { name: 'No rules yet' }).waitFor()
  await postEnvelope(dsn, { exception: { values: [{ type: 'PriceError', value: 'no price' }] } })
  await hydrant.drained()
  await page.getByRole('link', { name: /Notifications 1 unread/ }).click()
  await page.getByRole('link', { name: 'New: PriceError: no price' }).waitFor()

  await open('/alerts/rules/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('New errors')
  await page.getByRole('textbox', { name: 'Filter' }).fill('level:(')
  await page.getByRole('button', { name: 'Save rule' }).click()
  await page.getByRole('alert').filter({ hasText: 'not a valid search' }).first().waitFor()
  await page.getByRole('textbox', { name: 'Filter' }).fill('PriceError')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Would have sent 1 message in the last 14 days.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Filter' }).inputValue()).toBe('PriceError')
  await page.getByRole('button', { name: 'Save rule' }).click()
  await page.getByRole('link', { name: 'New errors' }).waitFor()

  await open('/issues')
  const href = await page
    .getByRole('link', { name: /PriceError/ })
    .first()
    .getAttribute('href')
  const issue = (href ?? '').replace('/acme', '').split('?')[0] ?? ''
  await open(`${issue}/confirm?change=resolve`)
  await open(`${issue}/confirm?change=resolve`)
  await page.getByText('It is unresolved.').waitFor()
  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Issue resolved.' }).waitFor()

  await open('/notifications')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
})

test('a rule of a file sends a new issue to its channel, once, with the reason', async () => {
  const { port } = receiver.address() as AddressInfo
  const file = join(hydrant.dataDir, 'alerts.yaml')
  writeFileSync(
    file,
    `channels:
  - { name: hook, kind: webhook, url: "http://127.0.0.1:${port}/hook" }
rules:
  - { name: new in web, project: web, when: [new-issue, regression, escalation], channels: [hook] }
`,
  )
  expect(await hydrant.cli('alerts', 'apply', file, '--org', 'acme')).toContain('+ rule new in web')
  await postEnvelope(dsn, { release: 'web@1.0.0', exception: { values: [{ type: 'CartError', value: 'empty' }] } })
  await hydrant.drained()
  await until(async () => received.length > 0)
  expect(received).toMatchObject([
    {
      type: 'issue.new',
      data: { issue: { title: 'CartError: empty' }, reason: { text: 'first seen in web@1.0.0' } },
    },
  ])
  await open('/alerts')
  await page.getByRole('row', { name: /new in web.*hook/ }).waitFor()
})
