/** Sends actions whose requests get lost, and then retries them: the page and the draft stay, and each happens once. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Hydrant, until } from '../start-hydrant.ts'
import { hydrated } from './hydrated.ts'
import type { LostAction } from './lost-actions.ts'

export type LostTries = {
  hydrant: Pick<Hydrant, 'dataDir'>
  context: BrowserContext
  /** The address of Hydrant as the browser knows it. */
  url: string
  actions: readonly LostAction[]
  /** Unique to this use of the actions. */
  word: string
  cut(): Promise<void>
  mend(): Promise<void>
  /** Requests arrive and their answers don't, so no note may say that nothing was changed. */
  mayHaveArrived?: boolean
}

/** How often an action had an effect. */
export type LostCount = { action: LostAction; times: number }

export async function playLostActions(tries: LostTries): Promise<LostCount[]> {
  const { context, word, mayHaveArrived = false } = tries
  const tabs = await fillActions(tries)
  const themeBefore = await themeOf(context)
  await tries.cut()
  try {
    await sendInVain()
  } finally {
    await tries.mend()
  }
  const counts: LostCount[] = []
  for (const { action, page, before } of tabs) {
    await retry(page)
    await action.done(page, word)
    await until(async () => (await lostNote(page).getByRole('button', { name: 'Retry' }).count()) === 0)
    if (action.effects) counts.push({ action, times: countRows(tries.hydrant, action.effects) - before })
    else {
      await until(async () => (await themeOf(context)) !== themeBefore)
      counts.push({ action, times: 1 })
    }
  }
  for (const { page } of tabs) await page.close()
  return counts

  async function sendInVain(): Promise<void> {
    const faults: string[] = []
    for (const { action, page } of tabs) {
      await action.send(page)
      await lostNote(page).getByRole('alert').waitFor()
      await action.kept(page, word)
      const said = (await lostNote(page).getByRole('alert').textContent()) ?? ''
      // Only where it is known.
      if (said.includes('Nothing was changed') && mayHaveArrived) faults.push(`${action.name}: ${said}`)
      if (!said.startsWith('Couldn’t reach Hydrant.') && !said.startsWith('Your change arrived'))
        faults.push(`${action.name}: ${said}`)
      expect(await page.getByText('stopped working').count(), action.name).toBe(0)
    }
    expect(faults).toEqual([])
  }
}

/** Opens a tab for each action and fills it up to the press. */
export async function fillActions({ hydrant, context, url, actions, word }: Omit<LostTries, 'cut' | 'mend'>) {
  const tabs: { action: LostAction; page: Page; before: number }[] = []
  for (const action of actions) {
    const page = await context.newPage()
    await page.goto(`${url}${action.path(word, action.issue ? issueIdOf(hydrant, action.issue(word)) : 0)}`)
    await hydrated(page)
    await action.fill(page, word)
    tabs.push({ action, page, before: action.effects ? countRows(hydrant, action.effects) : 0 })
  }
  return tabs
}

export const lostNote = (page: Page) => page.locator('.toasts.lost')

/** The note goes by itself if the server says that the change had arrived. */
async function retry(page: Page): Promise<void> {
  const button = lostNote(page).getByRole('button', { name: 'Retry' })
  await until(async () => {
    const said = (await lostNote(page).allTextContents()).join()
    return !said.includes('Checking')
  })
  if ((await button.count()) > 0) await button.click({ timeout: 5_000 }).catch(() => {})
}

const issueIdOf = (hydrant: LostTries['hydrant'], type: string): number =>
  query<{ id: number }>(hydrant, `SELECT id FROM issue WHERE title LIKE '${type}%'`)?.id ?? 0

export const countRows = (hydrant: LostTries['hydrant'], sql: string): number =>
  query<{ n: number }>(hydrant, sql)?.n ?? 0

function query<Row>({ dataDir }: LostTries['hydrant'], sql: string): Row | undefined {
  const control = new Database(join(dataDir, 'control.db'), { readonly: true })
  try {
    return control.prepare<[], Row>(sql).get()
  } finally {
    control.close()
  }
}

const themeOf = async (context: BrowserContext): Promise<string> =>
  (await context.cookies()).find(({ name }) => name.includes('theme'))?.value ?? ''
