/** The page of an incident in a real browser: acknowledge, comment, close, by mouse and by key. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeIncidents, findOpenIncidents } from '#domain/alerts/close-incidents.ts'
import { recordFinding } from '#domain/alerts/incidents.ts'
import { metricSchema } from '#domain/alerts/metric.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import type { Control } from '#store/control/control.ts'
import { openControl } from '#store/control/open-control.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'

const metric = metricSchema.parse({ dataset: 'errors', measure: 'count()', windowMs: 60_000, critical: 3 })
let hydrant: Hydrant
let control: Control
let browser: Browser
let page: Page
let organizationId: number
let projectId: number

beforeAll(async () => {
  hydrant = await borrowHydrant()
  const { project } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  control = openControl({ dataDir: hydrant.dataDir })
  projectId = project.id
  const row = await control.db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow()
  organizationId = row.organization_id
  browser = await openBrowser()
  page = await browser.newPage()
  await signIn(page, hydrant.url)
})
afterAll(async () => {
  await browser?.close()
  await control?.close()
  await hydrant?.stop()
})

/** Minutes are judged in test/contract/detectors.contract.test.ts. */
async function openIncident(name: string): Promise<number> {
  const saved = await saveRule(
    { db: control.db, actor: 'test', now: Date.now },
    {
      ...{ organizationId, ruleId: null, name, projectId, isOn: true, channelIds: [], ownerUserId: null },
      config: ruleConfig.parse({ metric }),
    },
  )
  if (!saved.ok) throw new Error(saved.code)
  const { id: detectorId } = await control.db
    .selectFrom('detector')
    .select('id')
    .where('rule_id', '=', saved.ruleId)
    .executeTakeFirstOrThrow()
  // Later than any minute that the job judges meanwhile.
  const minute = Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000
  const message = await control.db.transaction().execute(trx =>
    recordFinding(
      trx,
      {
        limits: { warning: null, critical: 3, resolved: null },
        ...{ detectorId, value: 4, forMinutes: 1, isHigherWorse: true, metric: JSON.stringify(metric) },
        ...{ verdict: { state: 'failing', severity: 'critical' }, reason: () => 'Number of errors is 4, above 3' },
      },
      minute,
    ),
  )
  if (message === null) throw new Error('no incident was opened')
  await control.db
    .updateTable('incident')
    .set({ opened_at: Date.now() - 300_000 })
    .where('id', '=', message.incidentId)
    .execute()
  return message.incidentId
}

const open = async (path: string) => {
  await page.goto(`${hydrant.url}/acme/alerts/incidents${path}`)
  await hydrated(page)
}

test('an incident is acknowledged, commented on and closed', async () => {
  const id = await openIncident('checkout fails')
  await open('')
  await page.getByRole('link', { name: 'checkout fails' }).click()
  await page.getByRole('heading', { name: 'checkout fails' }).waitFor()
  await page.getByText('not yet').waitFor()
  await expectNoBarriersWhenLong(page)

  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('status').filter({ hasText: 'Incident acknowledged.' }).waitFor()
  await page.getByText('Acknowledged by ada').waitFor()
  expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('incident-title')

  const field = page.getByRole('textbox', { name: 'Comment' })
  await field.fill('   ')
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('alert').filter({ hasText: 'Enter a comment.' }).waitFor()
  await field.fill('Rolled **back** <img src=x>')
  await field.press('Control+Enter')
  const comment = page.getByRole('listitem').filter({ hasText: '<img src=x>' })
  await comment.getByText('back', { exact: true }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')

  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Close incident' }).click()
  await page.getByRole('status').filter({ hasText: 'Incident closed.' }).waitFor()
  await page.getByText('Closed by ada').waitFor()
  await page.getByText('The number is still beyond its limit.').waitFor()
  expect(await page.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0)
  const row = await control.db.selectFrom('incident').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ closed_by: row.acknowledged_by })
})

longTest('keys do the same, and a click on what was just closed says so', async () => {
  const id = await openIncident('search is slow')
  await open(`/${id}`)
  await page.keyboard.press('c')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('text')
  await page.keyboard.press('Escape')
  await page.locator('body').click({ position: { x: 5, y: 400 } })
  await page.keyboard.press('a')
  await page.getByText('Acknowledged by ada').waitFor()
  // Its rule closes it while the page is open.
  const reason = 'Closed because the rule was turned off'
  await control.db.transaction().execute(async trx => {
    const incidents = await findOpenIncidents(trx, { incidentId: id })
    const ending = { reason, actor: '', forgetsFailure: true }
    await closeIncidents({ trx, enqueue, nowMs: Date.now() }, incidents, ending)
  })
  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'Close incident' }).click()
  await page.getByRole('alert').filter({ hasText: 'This incident is already closed.' }).waitFor()
  await open(`/${id}`)
  await page.getByText(reason).waitFor()
})

test('whoever may only read sees what happened, and no buttons', async () => {
  const id = await openIncident('login fails')
  await control.db.updateTable('member').set({ role: 'viewer' }).where('organization_id', '=', organizationId).execute()
  await open(`/${id}`)
  await page.getByRole('heading', { name: 'login fails' }).waitFor()
  for (const name of ['Acknowledge', 'Close', 'Comment'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
})
