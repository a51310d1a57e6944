/** Members in a real browser: invite, accept, change of role, refusal, private project, removal, tokens and the audit log. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { signInVisitor } from './visitor.ts'

let hydrant: Hydrant
let browser: Browser
let page: Page
let kai: Page
const password = 'a long password'
const at = (path: string) => `${hydrant.url}${path}`
const contexts: BrowserContext[] = []

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  contexts.push(context)
  return context.newPage()
}

beforeAll(async () => {
  hydrant = await borrowHydrant()
  await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  await hydrant.init('--org', 'acme', '--project', 'vault')
  await hydrant.init('--org', 'globex', '--project', 'app', ...asAda)
  browser = await openBrowser()
  ;[page, kai] = [await newPage(), await newPage()]
  await signIn(page, hydrant.url)
})
afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const openMembers = async () => {
  await page.goto(at('/acme/settings/members'))
  await hydrated(page)
}
const statusOf = async (who: Page, path: string) => (await who.goto(at(path)))?.status()

test('a person is invited by a link, sets a name and a password, and is in', async () => {
  await openMembers()
  await page.getByLabel('Email, optional').fill('kai@example.com')
  await page.getByLabel('Role', { exact: true }).selectOption('member')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await page.getByLabel('Invitation link').inputValue()
  expect(link).toMatch(/\/invite\/[\w-]{43}$/)
  await page.getByRole('row', { name: /kai@example\.com member/ }).waitFor()

  await kai.goto(link)
  await kai.getByRole('heading', { name: 'Join acme' }).waitFor()
  await kai.getByText('ada invites you as member.').waitFor()
  await expectNoBarriersWhenLong(kai)
  await kai.getByLabel('Your name').fill('Kai')
  await kai.getByLabel('Password').fill('short')
  await kai.getByRole('button', { name: 'Create account and join' }).click()
  await kai.getByText('Use at least 8 characters.').waitFor()
  await kai.getByLabel('Password').fill(password)
  await kai.getByRole('button', { name: 'Create account and join' }).click()
  await kai.waitForURL('**/acme/issues')

  // It works once, and says nothing about the organization afterwards.
  expect(await statusOf(await newPage(), new URL(link).pathname)).toBe(404)
  await openMembers()
  await page.getByRole('row', { name: /Kai.*kai@example\.com/ }).waitFor()
})

test('a signed-in person joins a second organization without JavaScript, and switches between them', async () => {
  await page.goto(at('/globex/settings/members'))
  await hydrated(page)
  await page.getByLabel('Role', { exact: true }).selectOption('viewer')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await page.getByLabel('Invitation link').inputValue()
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await kai.context().storageState() })
  const still = await plain.newPage()
  await still.goto(link)
  await still.getByRole('button', { name: 'Join globex' }).click()
  await still.waitForURL('**/globex/issues')
  await still.getByLabel('Organization: globex. Switch').click()
  await still.getByRole('navigation', { name: 'Organizations' }).getByRole('link', { name: 'acme' }).click()
  await still.waitForURL('**/acme/issues')
  await plain.close()
})

longTest('a member who became viewer is refused with the role that is needed and who can give it', async () => {
  await kai.goto(at('/acme/projects'))
  await hydrated(kai)
  await kai.getByLabel('Name').fill('mobile')
  await openMembers()
  await page.getByLabel('Role of Kai: member').click()
  await page.getByRole('button', { name: 'viewer', exact: true }).click()
  await page.getByText('Role changed to viewer.').waitFor()
  const [answer] = await Promise.all([
    kai.waitForResponse(response => response.request().method() === 'POST'),
    kai.getByRole('button', { name: 'Create project' }).click(),
  ])
  expect(answer.status()).toBe(403)
  const refusal = 'This needs the role member. You are viewer of acme. Nothing was changed. ada can change your role.'
  await kai.getByText(refusal).waitFor()
  // What the role lacks is not offered.
  await kai.goto(at('/acme/settings/members'))
  expect(await kai.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0)
  expect(await kai.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  expect(await statusOf(kai, '/acme/settings/audit')).toBe(403)
})

test('a private project is not found by others, in pages, the palette and the API, until their team owns it', async () => {
  await openMembers()
  await page.getByLabel('Team name').fill('core')
  await page.getByRole('button', { name: 'Add team' }).click()
  await page.getByText('Team created.').waitFor()
  await page.goto(at('/acme/projects/vault/settings'))
  await hydrated(page)
  await page.getByLabel('#core').check()
  await page.getByLabel('Private').check()
  await page.getByRole('button', { name: 'Save access' }).click()
  await page.getByText('Access saved. It applies at once.').waitFor()
  await page.getByText('private: 1 of the members see it').waitFor()

  await kai.goto(at('/acme/settings/tokens'))
  await hydrated(kai)
  await kai.getByLabel('Name', { exact: true }).fill('laptop')
  await kai.getByRole('button', { name: 'Create token' }).click()
  const token = await kai.getByLabel('New token').inputValue()
  expect(token).toMatch(/^sntryu_/)
  const projectsOf = async (bearer: string) => {
    const headers = { Authorization: `Bearer ${bearer}` }
    const answer = await fetch(at('/api/0/organizations/acme/projects/'), { headers })
    return ((await answer.json()) as { slug: string }[]).map(({ slug }) => slug).toSorted()
  }
  const shared: unknown = JSON.parse(
    await hydrant.cli(...'token add --org acme --name ci --scopes org:read,event:read --json'.split(' ')),
  )
  expect(shared).toEqual({ token: expect.stringMatching(/^sntrys_/) })
  expect(await projectsOf(token)).toEqual(['hydrant', 'web'])
  expect(await projectsOf((shared as { token: string }).token)).toEqual(['hydrant', 'web'])
  for (const path of ['/acme/projects/vault', '/acme/projects/vault/settings', '/acme/issues?project=vault'])
    expect(await statusOf(kai, path), path).toBe(404)
  expect(await (await kai.request.get(at('/acme/projects'))).text()).not.toContain('vault')

  await openMembers()
  await page.getByLabel('Members of core').click()
  await page.getByRole('button', { name: 'Add Kai' }).click()
  await page.getByText('Team members changed.').waitFor()
  expect(await statusOf(kai, '/acme/projects/vault')).toBe(200)
  expect(await projectsOf(token)).toEqual(['hydrant', 'vault', 'web'])
})

test('removing a member ends their stream, token and access at once', async () => {
  const visitor = await signInVisitor(hydrant.url, 'kai@example.com', password)
  const stream = await visitor.get('/api/live?org=acme')
  expect(stream.status).toBe(200)
  let isEnded = false
  const reader = stream.body?.getReader()
  const ended = (async () => {
    for (;;) {
      const part = await reader?.read()
      if (part === undefined || part.done) break
    }
    isEnded = true
  })()
  await openMembers()
  expect(isEnded).toBe(false)
  await page.getByRole('button', { name: 'Remove Kai' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Kai?' })
  await expectNoBarriersWhenLong(page, { within: '.ask:popover-open' })
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await page.getByText('Member removed, 1 token revoked.').waitFor()
  await ended
  expect((await visitor.get('/api/live?org=acme')).status).toBe(404)
  expect(await statusOf(kai, '/acme/issues')).toBe(404)
  // Other organizations are not concerned.
  expect(await statusOf(kai, '/globex/issues')).toBe(200)
})

longTest('the last owner can’t leave, and passes ownership on before that', async () => {
  await page.goto(at('/globex/settings/members'))
  await hydrated(page)
  await page.getByRole('button', { name: 'Leave' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByText('An organization needs an owner.').waitFor()
  await page.getByRole('button', { name: 'Make Kai the owner' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByText('Ownership transferred.').waitFor()
  await page.getByRole('button', { name: 'Leave' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/acme/issues')
  expect(await statusOf(page, '/globex/issues')).toBe(404)
})

longTest('the audit log shows who did what, is searched, exported and verified', async () => {
  await page.goto(at('/acme/settings/audit'))
  const row = page.getByRole('row', { name: /ada Changed role of member Kai member → viewer 127\.0\.0\.1/ })
  await row.waitFor()
  await page.getByLabel('Search the audit log').fill('kai viewer')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(/q=kai/)
  expect(await page.getByRole('row', { name: /Changed access of project/ }).count()).toBe(0)
  await row.waitFor()
  await page.getByRole('link', { name: 'Verify that no entry was changed or removed' }).click()
  await page.getByText(/entries verified, none changed or removed/).waitFor()
  const exported = (await (await page.request.get(at('/acme/settings/audit/export'))).text()).trim().split('\n')
  expect(exported.map(line => JSON.parse(line).action)).toEqual(
    expect.arrayContaining(['member.invite', 'member.join', 'member.role', 'project.access', 'auth_token.create']),
  )
  expect(await hydrant.cli('audit', 'verify', '--org', 'acme')).toMatch(/^acme: \d+ entries, none changed or removed/)
})

longTest('the pages have no barriers and fit a phone', async () => {
  for (const path of [
    '/acme/settings/members',
    '/acme/settings/tokens',
    '/acme/settings/audit',
    '/acme/projects/vault/settings',
  ]) {
    await page.goto(at(path))
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await expectNoBarriersWhenLong(page)
      await until(async () => (await page.evaluate(() => document.documentElement.scrollWidth)) <= width)
    }
  }
})
