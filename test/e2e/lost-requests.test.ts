/**
 * Requests that get lost: without a network, behind a proxy that answers 503, while Hydrant is stopped, and with answers that never
 * arrive. The page and the draft stay, a note says what is known, Retry does what the first try would have, and nothing happens twice.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { isLong } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type CutProxy, startCutProxy } from '../start-cut-proxy.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { type LostAction, lostActions } from './lost-actions.ts'
import { playLostActions } from './play-lost-actions.ts'

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
      const counts = await playLostActions({
        ...{ hydrant, context, url: proxy.url, word: round, mayHaveArrived: round === 'Answers' },
        actions: lostActions.filter(each => isLost(round, each)),
        cut: () => cut(round),
        mend: () => mend(round),
      })
      for (const { action, times } of counts) expect(times, action.name).toBe(1)
    },
  )
