/**
 * Requests that get lost: without a network, behind a proxy that answers 503, while Hydrant is stopped, and with answers that never
 * arrive. The page and the draft stay, a note says what is known, Retry does what the first try would have, and nothing happens twice.
 */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { isLong } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type CutProxy, startCutProxy } from '../start-cut-proxy.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { hydrated } from './hydrated.ts'
import { type LostAction, lostActions } from './lost-actions.ts'

const rounds = ['Offline', 'Refused', 'Stopped', 'Answers'] as const
type Round = (typeof rounds)[number]
/** A change by key, by menu, in a form and in a form with a secret; in the long run each action in each way. */
const lostOnce: Partial<Record<Round, readonly string[]>> = {
  Offline: ['archive in the peek, by menu', 'comment'],
  Refused: ['resolve in the list, by key'],
  Answers: ['token'],
}
const isLost = (round: Round, { name }: LostAction) => isLong || (lostOnce[round]?.includes(name) ?? false)

let hydrant: Hydrant
let proxy: CutProxy
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  hydrant = await borrowHydrant()
  proxy = await startCutProxy(hydrant.url)
  const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  await hydrant.cli(
    'user',
    'add',
    '--org',
    'acme',
    '--email',
    'kai@example.com',
    '--role',
    'viewer',
    '--name',
    'Kai',
    '--password',
    'a long password',
  )
  const { username, pathname } = new URL(dsn)
  const types = lostActions.flatMap(action =>
    action.issue ? rounds.filter(round => isLost(round, action)).map(action.issue) : [],
  )
  for (const type of types) {
    const body = JSON.stringify({ exception: { values: [{ type, value: `went wrong in ${type}` }] } })
    const address = `${hydrant.url}/api${pathname}/store/?sentry_key=${username}`
    expect((await fetch(address, { method: 'POST', body })).status).toBe(200)
  }
  await hydrant.drained()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await signIn(page, proxy.url)
})

afterAll(async () => {
  await browser?.close()
  await proxy?.stop()
  await hydrant?.stop()
})

const at = (path: string): string => `${proxy.url}${path}`
const note = (of: Page) => of.locator('.toasts.lost')

function query<Row>(sql: string): Row | undefined {
  const control = new Database(join(hydrant.dataDir, 'control.db'), { readonly: true })
  try {
    return control.prepare<[], Row>(sql).get()
  } finally {
    control.close()
  }
}
const count = (sql: string): number => query<{ n: number }>(sql)?.n ?? 0
const issueId = (type: string): number =>
  query<{ id: number }>(`SELECT id FROM issue WHERE title LIKE '${type}%'`)?.id ?? 0
const theme = async (): Promise<string> =>
  (await context.cookies(proxy.url)).find(({ name }) => name.includes('theme'))?.value ?? ''

async function cut(round: Round): Promise<void> {
  if (round === 'Offline') await context.setOffline(true)
  else if (round === 'Stopped') await hydrant.kill('SIGTERM')
  else proxy.cut(round === 'Refused' ? '503' : 'answers')
}

async function mend(round: Round): Promise<void> {
  if (round === 'Offline') await context.setOffline(false)
  else if (round === 'Stopped') await hydrant.start()
  else proxy.cut('none')
}

for (const round of rounds)
  test.runIf(isLong || round in lostOnce)(
    `${round}: every action keeps the page and the draft, and Retry does it once`,
    async () => {
      const faults: string[] = []
      const tabs: { action: LostAction; page: Page }[] = []
      for (const action of lostActions.filter(each => isLost(round, each)))
        tabs.push({ action, page: await context.newPage() })
      for (const { action, page: tab } of tabs) {
        await tab.goto(at(action.path(round, action.issue ? issueId(action.issue(round)) : 0)))
        await hydrated(tab)
        await action.fill(tab, round)
      }
      const before = tabs.map(({ action }) => (action.effects ? count(action.effects) : 0))
      const themeBefore = await theme()
      await cut(round)
      for (const { action, page: tab } of tabs) {
        await action.send(tab)
        await note(tab).getByRole('alert').waitFor()
        await action.kept(tab, round)
        const said = (await note(tab).getByRole('alert').textContent()) ?? ''
        // Only where it is known.
        if (said.includes('Nothing was changed') && round === 'Answers') faults.push(`${action.name}: ${said}`)
        if (!said.startsWith('Couldn’t reach Hydrant.') && !said.startsWith('Your change arrived'))
          faults.push(`${action.name}: ${said}`)
        expect(await tab.getByText('stopped working').count(), action.name).toBe(0)
      }
      await mend(round)
      for (const [index, { action, page: tab }] of tabs.entries()) {
        await retry(tab)
        await action.done(tab, round)
        await until(async () => (await note(tab).getByRole('button', { name: 'Retry' }).count()) === 0)
        if (action.effects) expect(count(action.effects), action.name).toBe((before[index] ?? 0) + 1)
        else await until(async () => (await theme()) !== themeBefore)
      }
      expect(faults).toEqual([])
      for (const { page: tab } of tabs) await tab.close()
    },
  )

/** The note goes by itself if the server says that the change had arrived. */
async function retry(tab: Page): Promise<void> {
  const button = note(tab).getByRole('button', { name: 'Retry' })
  await until(async () => {
    const said = (await note(tab).allTextContents()).join()
    return !said.includes('Checking')
  })
  if ((await button.count()) > 0) await button.click({ timeout: 5_000 }).catch(() => {})
}
