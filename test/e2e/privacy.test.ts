/** Own scrubbing rules and the deletion of a user's data, in a real browser and from the terminal. */

import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { postEnvelope } from './post-envelope.ts'
import { queryTelemetry } from './query-telemetry.ts'

let hydrant: Hydrant
let browser: Browser
let page: Page
let dsn: string
let projectId: number

const grace = { id: '7', email: 'grace@shop.example', ip_address: '203.0.113.9' }
const linus = { id: '8', email: 'linus@shop.example', ip_address: '203.0.113.10' }

beforeAll(async () => {
  hydrant = await borrowHydrant()
  const made = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  dsn = made.dsn
  projectId = made.project.id
  await postEnvelope(dsn, { message: 'no order for grace@shop.example', user: grace, level: 'error' })
  await postEnvelope(dsn, { message: 'another', user: linus, level: 'error' })
  await hydrant.drained()
  browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await signIn(page, hydrant.url)
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const open = async (path: string) => {
  await page.goto(hydrant.url + path)
  await hydrated(page)
}
const stored = z.object({ title: z.string(), data: z.string(), user_ip: z.string() })
const listEvents = (where: string) =>
  queryTelemetry(
    hydrant.dataDir,
    `SELECT title, data, user_ip FROM events WHERE project_id = ${projectId} AND ${where} ORDER BY title`,
    stored,
  )

longTest('a rule is previewed on real fields, added, applied to new events and removed', async () => {
  await open('/acme/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Privacy' }).click()
  await page.getByText('No rules of your own.').waitFor()
  await page.getByLabel('Field', { exact: true }).fill('user.email')
  await page.getByLabel('Pattern', { exact: true }).fill('(')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('This is no RE2 pattern').waitFor()
  await page.getByLabel('Field', { exact: true }).fill('')
  await page.getByLabel('Pattern', { exact: true }).fill('grace@[a-z.]+')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Of the newest 2 errors, this rule would change 1.').waitFor()
  const row = page.getByRole('region', { name: 'Preview' }).getByRole('row').filter({ hasText: 'logentry.message' })
  await row.getByText('no order for [scrubbed]').waitFor()
  await expectNoBarriersWhenLong(page)

  await hydrated(page)
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByText('Rule added.').waitFor()
  const rules = page.getByRole('region', { name: 'Scrubbing rules' })
  await rules.getByText('grace@[a-z.]+').waitFor()
  await hydrated(page)
  await page.getByRole('button', { name: 'Store no IP addresses' }).click()
  await page.getByText('IP addresses of users are not stored.').waitFor()
  expect((await listEvents(`title LIKE '%order%'`)).map(({ title }) => title)).toEqual([
    'no order for grace@shop.example',
  ])

  // Changes apply after a few seconds: events are sent until one shows it.
  let sent = 0
  await until(async () => {
    await postEnvelope(dsn, { message: `again ${sent++} grace@shop.example`, user: grace, level: 'error' })
    await hydrant.drained()
    return (await listEvents(`title LIKE 'again%[scrubbed]' AND user_ip = ''`)).length > 0
  })
  const [event] = await listEvents(`title LIKE 'again%[scrubbed]' AND user_ip = ''`)
  expect(event?.data).not.toMatch(/grace@|203\.0\.113/)

  await rules.getByRole('button', { name: /^Remove rule/ }).click()
  await page.getByRole('dialog', { name: 'Remove this rule?' }).getByRole('button', { name: 'Remove rule' }).click()
  await page.getByText('No rules of your own.').waitFor()
})

test('the data of a user is deleted with a receipt', async () => {
  const { length } = await listEvents(`user_id = '7'`)
  expect(length).toBeGreaterThan(0)
  await open('/acme/settings/privacy')
  await page.getByLabel('User ID').fill('7')
  await page.getByRole('button', { name: 'Delete data…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete data', exact: true }).click()
  await page.getByText('The deletion has begun.').waitFor()
  await until(async () => {
    const html = await (await page.request.get(`${hydrant.url}/acme/settings/privacy`)).text()
    return /<td[^>]*>(?:<[^>]*>)*done</.test(html)
  })
  await page.reload()
  await page.getByRole('region', { name: 'Receipts' }).getByRole('cell', { name: 'done' }).waitFor()
  expect(await listEvents(`user_id = '7'`)).toEqual([])
  expect(await listEvents(`user_id = '8'`)).toHaveLength(1)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Receipt (JSON)' }).click()
  const receipt = JSON.parse(await readFile((await (await download).path()) ?? '', 'utf8'))
  expect(receipt).toMatchObject({ state: 'done', organization: 'acme', deleted: { events: length } })
  expect(receipt.user.id).toMatch(/^hash:/)
})

longTest('the data of a user is deleted from the terminal', async () => {
  const erase = async (...user: string[]) =>
    JSON.parse(await hydrant.cli('erase-user', '--org', 'acme', ...user, '--json')) as object
  expect(await erase('--user', '8', '--dry-run')).toMatchObject({ dryRun: true, found: { events: 1 } })
  expect(await erase('--email', 'LINUS@shop.example')).toMatchObject({ state: 'done', deleted: { events: 1 } })
  expect(await listEvents('1')).toEqual([])
})

longTest('a project has rules of its own on the same page', async () => {
  await open('/acme/projects/web/settings')
  await page.getByRole('link', { name: 'Manage privacy' }).click()
  await page.waitForURL('**/settings/privacy?project=web')
  await page.getByText('This is set for all projects.').waitFor()
})
