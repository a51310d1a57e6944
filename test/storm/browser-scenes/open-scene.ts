import type { Browser } from 'playwright-core'
import { signIn } from '../../e2e/ada.ts'
import { openLongLists } from '../../e2e/long-lists.ts'
import { lostActions } from '../../e2e/lost-actions.ts'
import { postEnvelope } from '../../e2e/post-envelope.ts'
import type { CutProxy } from '../../start-cut-proxy.ts'
import type { Hydrant } from '../../start-hydrant.ts'
import { isFullStorm } from '../ledger.ts'

export type BrowserScene = Awaited<ReturnType<typeof openBrowserScene>>

/** Two pages of each list and one row. */
export const listRows = isFullStorm ? 201 : 11

/** Each use of the actions has a word, which is part of the names of what it changes. */
const words = ['Offline', 'Restarted', 'Rebuilt'] as const
export type Word = (typeof words)[number]

/** Ada is signed in, and there is a row for each action and in each list. */
export async function openBrowserScene(hydrant: Hydrant, proxy: CutProxy, browser: Browser) {
  const lists = await openLongLists(hydrant, listRows)
  const kai = ['--email', 'kai@example.com', '--name', 'Kai', '--role', 'viewer', '--password', 'a long password']
  await hydrant.cli('user', 'add', '--org', 'acme', ...kai)
  const types = words.flatMap(word => lostActions.flatMap(({ issue }) => issue?.(word) ?? []))
  for (const type of types)
    await postEnvelope(lists.dsn, { exception: { values: [{ type, value: `went wrong in ${type}` }] } })
  await hydrant.drained()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await signIn(await context.newPage(), proxy.url)
  return { hydrant, proxy, context, lists }
}
