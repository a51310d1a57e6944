/** The list of rules and the page of a rule say what its number is now, and the form refuses words that nothing can match. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openControl } from '#store/control/open-control.ts'
import type { createAlertClock } from '../../channels/alert-clock.ts'
import { isLong } from '../../long.ts'
import { type Hydrant, until } from '../../start-hydrant.ts'
import { asAda, signIn } from '../ada.ts'
import { hydrated } from '../hydrated.ts'

type Scene = { hydrant: Hydrant; browser: Browser; time: ReturnType<typeof createAlertClock> }

const rules = `
rules:
  - { name: many errors, project: web, metric: { of: errors, window: 1h, above: 0 } }
  - { name: few errors, project: web, metric: { of: errors, window: 1m, above: 100000, warning: 50000 } }
  - { name: slow checkout, project: web, metric: { of: p95, query: "route:/nowhere", window: 5m, above: 2000 } }
  - { name: odd words, project: web, metric: { of: errors, query: "typ:TypeError", window: 5m, above: 3 } }
`

export function testRuleState(scene: () => Scene): void {
  describe.runIf(isLong)('what a rule’s number is now', () => {
    let hydrant: Hydrant
    let page: Page
    let time: Scene['time']
    const pictures = process.env.HYDRANT_PICTURES_TO

    beforeAll(async () => {
      ;({ hydrant, time } = scene())
      await hydrant.init('--org', 'limits', '--project', 'web', ...asAda)
      page = await (await scene().browser.newContext()).newPage()
      await signIn(page, hydrant.url)
    })
    afterAll(() => page?.context().close())

    const open = async (path: string) => {
      await page.goto(`${hydrant.url}/limits${path}`)
      await hydrated(page)
    }

    async function shoot(name: string): Promise<void> {
      if (pictures === undefined) return
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [1_440, 390]) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize({ width, height: 900 })
          await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${width}.png`), fullPage: true })
        }
      await page.setViewportSize({ width: 1_280, height: 720 })
    }

    test('the state, the value, the limit and the last evaluation of a rule are shown', async () => {
      const amounts = ['--events', '300', '--spans', '300', '--logs', '0', '--days', '1']
      await hydrant.cli('seed', '--org', 'limits', '--project', 'web', ...amounts)
      const file = join(hydrant.dataDir, 'alerts.yaml')
      writeFileSync(file, rules)
      await hydrant.cli('alerts', 'apply', file, '--org', 'limits', '--force')
      await open('/alerts')
      await shoot('rules-new')
      const control = openControl({ dataDir: hydrant.dataDir })
      let reportedAt = 0
      await until(async () => {
        const rows = await control.db.selectFrom('detector').select(['name', 'state', 'judged_at']).execute()
        const own = rows.filter(({ name }) => rules.includes(`name: ${name},`))
        if (
          own.length === 4 &&
          own.every(row => row.judged_at > 0 && (row.name !== 'few errors' || row.state === 'ok'))
        )
          return true
        // In steps with a report between them: a longer step would be a pause, in which nothing could arrive.
        const clocks = await control.db.selectFrom('node_clock').select('reported_at').execute()
        const latest = Math.max(0, ...clocks.map(each => each.reported_at))
        if (latest > reportedAt) await time.pass(30_000)
        reportedAt = latest
        return false
      })
      await control.close()
      await open('/alerts')
      const row = (name: string) => page.getByRole('row').filter({ hasText: name })
      expect(await row('few errors').textContent()).toMatch(/OK.*\d+, limit 100.?000.*evaluated/)
      expect(await row('slow checkout').textContent()).toMatch(
        /No data.*(nothing measured in 5 min|did not accept data)/,
      )
      await shoot('rules')
      await page.getByRole('link', { name: 'few errors' }).click()
      const state = page.getByRole('region', { name: 'Current state' })
      expect(await state.textContent()).toMatch(/OK.*limit 100.?000.*evaluated/)
      await state.getByRole('img', { name: /in the last 7 days; critical above/ }).waitFor()
      await hydrated(page)
      await shoot('rule')
      await open('/alerts')
      await page.getByRole('link', { name: 'slow checkout' }).click()
      await state.getByRole('img', { name: /No data in the last 7 days/ }).waitFor()
      await page.getByText('without data for 10 min, it resolves').first().waitFor()
      await hydrated(page)
      await shoot('rule-no-data')
    })

    test('a word that nothing can match is refused in the form, and told on the page of a rule that has it', async () => {
      await open('/alerts')
      await page.getByRole('link', { name: 'odd words' }).click()
      const fault = 'No event in the last 30 days has the tag typ. Did you mean type?'
      await page.getByRole('status').filter({ hasText: fault }).waitFor()
      await hydrated(page)
      await shoot('rule-odd')
      // Other changes can be saved.
      await page.getByLabel('Name', { exact: true }).fill('odder words')
      await page.getByRole('button', { name: 'Save rule' }).click()
      await page.waitForURL(/\/alerts$/)
      await page.getByRole('link', { name: 'odder words' }).click()
      await hydrated(page)
      await page.getByLabel('Rows', { exact: true }).fill('tpye:TypeError')
      await page.getByLabel('Without data', { exact: true }).selectOption('alert')
      await page.getByRole('button', { name: 'Save rule' }).click()
      await page.getByRole('alert').filter({ hasText: 'has the tag tpye. Did you mean type?' }).waitFor()
      await shoot('rule-refused')
      await page.getByLabel('Rows', { exact: true }).fill('type:TypeError')
      await page.getByRole('button', { name: 'Save rule' }).click()
      await page.waitForURL(/\/alerts$/)
    })
  })
}
