/** One action of each kind, as users send it: by key, menu, form and toggle. For tests of lost requests. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { until } from '../start-hydrant.ts'

/** `word` is unique to each use of an action: the name that it gives, or of the issue that it changes. */
export type LostAction = {
  name: string
  /** The error type of the issue that only this action changes, if any. */
  issue?: (word: string) => string
  path(word: string, issueId: number): string
  /** Up to the press, which `send` makes. */
  fill(page: Page, word: string): Promise<void>
  send(page: Page): Promise<void>
  /** The page and what was typed, after the request was lost. */
  kept(page: Page, word: string): Promise<void>
  /** The page as after a first try that succeeded. */
  done(page: Page, word: string): Promise<void>
  /** Counts its effects in the control database, or in the page for a cookie. */
  effects: string
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const value = async (page: Page, label: string, wanted: string) =>
  expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(wanted)
const audited = (action: string): string => `SELECT count(*) AS n FROM audit WHERE action = '${action}'`
const counted = (table: string): string => `SELECT count(*) AS n FROM ${table}`
const activity = (kind: string): string => `SELECT count(*) AS n FROM issue_activity WHERE kind = '${kind}'`
const rows = (page: Page) => page.getByRole('list', { name: 'Issues' }).getByRole('listitem')
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const quoted = (text: string) => encodeURIComponent(`is:unresolved ${text}`)

const issueIsListed = async (page: Page) => {
  expect(await rows(page).count()).toBe(1)
  // The row is not dimmed any more.
  await until(async () => (await page.locator('li[aria-busy=true]').count()) === 0)
}

export const lostActions: LostAction[] = [
  {
    name: 'resolve in the list, by key',
    issue: word => `List${word}`,
    path: word => `/acme/issues?q=${quoted(`List${word}`)}`,
    fill: page => page.keyboard.press('j'),
    send: page => page.keyboard.press('e'),
    kept: issueIsListed,
    done: page => until(async () => (await rows(page).count()) === 0),
    effects: activity('resolved'),
  },
  {
    name: 'archive in the peek, by menu',
    issue: word => `Peek${word}`,
    path: word => `/acme/issues?q=${quoted(`Peek${word}`)}`,
    async fill(page) {
      await rows(page).getByRole('link').first().click()
      await page.locator('.peek summary', { hasText: 'Archive' }).click()
    },
    send: page => page.locator('.peek').getByRole('button', { name: 'Forever' }).click(),
    async kept(page) {
      await issueIsListed(page)
      expect(await page.locator('.peek').count()).toBe(1)
    },
    done: page => until(async () => (await rows(page).count()) === 0),
    effects: activity('archived'),
  },
  {
    name: 'assign on the issue page, by menu',
    issue: word => `Assign${word}`,
    path: (_, issueId) => `/acme/issues/${issueId}`,
    fill: page => page.locator('.ihdr summary', { hasText: 'Assign' }).click(),
    send: page => page.locator('.ihdr').getByRole('button', { name: /me/i }).first().click(),
    kept: async (page, word) => expect(await page.locator('h1').textContent()).toContain(`Assign${word}`),
    done: page => says(page, 'Assignee changed.'),
    effects: activity('assigned'),
  },
  {
    name: 'comment',
    issue: word => `Comment${word}`,
    path: (_, issueId) => `/acme/issues/${issueId}`,
    fill: (page, word) => page.getByRole('textbox', { name: 'Comment', exact: true }).fill(`seen in ${word}`),
    send: page => button(page, 'Comment').click(),
    kept: (page, word) => value(page, 'Comment', `seen in ${word}`),
    async done(page, word) {
      await page
        .locator('#activity')
        .getByRole('listitem')
        .filter({ hasText: `seen in ${word}` })
        .waitFor()
      await until(async () => (await page.getByRole('textbox', { name: 'Comment', exact: true }).inputValue()) === '')
    },
    effects: activity('comment'),
  },
  {
    name: 'new rule',
    path: () => '/acme/alerts/rules/new',
    fill: (page, word) => page.getByLabel('Name', { exact: true }).fill(`rule ${word}`),
    send: page => button(page, 'Save rule').click(),
    kept: (page, word) => value(page, 'Name', `rule ${word}`),
    done: (page, word) => page.getByRole('link', { name: `rule ${word}` }).waitFor(),
    effects: counted('alert_rule'),
  },
  {
    name: 'new project',
    path: () => '/acme/projects',
    fill: (page, word) => page.getByLabel('Name', { exact: true }).fill(`shop-${word}`),
    send: page => button(page, 'Create project').click(),
    kept: (page, word) => value(page, 'Name', `shop-${word}`),
    done: (page, word) => page.waitForURL(`**/projects/shop-${word.toLowerCase()}`),
    effects: counted('project'),
  },
  {
    name: 'project settings',
    path: () => '/acme/projects/web/settings',
    fill: (page, word) => page.getByLabel('Name', { exact: true }).first().fill(`Web ${word}`),
    send: page => button(page, 'Save').first().click(),
    kept: async (page, word) =>
      expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe(`Web ${word}`),
    done: page => says(page, 'Project saved.'),
    effects: audited('project.change'),
  },
  {
    name: 'filter',
    path: () => '/acme/projects/web/filters',
    async fill(page) {
      const mode = page.locator('#resize-observer nav a:not([aria-current])').first()
      await mode.click()
      await page.getByRole('region', { name: /^Preview/ }).waitFor()
    },
    send: page =>
      page
        .getByRole('region', { name: /^Preview/ })
        .locator('button[type=submit]')
        .click(),
    kept: async page => expect(await page.getByRole('region', { name: /^Preview/ }).count()).toBe(1),
    done: page => page.getByRole('region', { name: /^Preview/ }).waitFor({ state: 'detached' }),
    effects: audited('project_filter.choose'),
  },
  {
    name: 'saved view',
    path: word => `/acme/issues?q=${word}`,
    async fill(page, word) {
      await page.locator('summary[aria-label="Save view"]').click()
      await page.getByLabel('Name of the view').fill(`view ${word}`)
    },
    send: page => page.getByLabel('Name of the view').press('Enter'),
    kept: async (page, word) => expect(await page.getByLabel('Name of the view').inputValue()).toBe(`view ${word}`),
    done: (page, word) => page.getByRole('link', { name: `view ${word}` }).waitFor(),
    effects: counted('saved_view'),
  },
  {
    name: 'role of a member',
    path: () => '/acme/settings/members',
    fill: page => page.locator('summary[aria-label^="Role of Kai"]').click(),
    async send(page) {
      const menu = page.locator('details', { has: page.locator('summary[aria-label^="Role of Kai"]') })
      await menu.locator('button:not([aria-current])').first().click()
    },
    kept: async page => expect(await page.getByRole('row', { name: /Kai/ }).count()).toBe(1),
    done: page => says(page, /^Role changed to/),
    effects: audited('member.role'),
  },
  {
    name: 'invitation',
    path: () => '/acme/settings/members',
    fill: (page, word) => page.getByLabel('Email, optional').fill(`${word.toLowerCase()}@example.com`),
    send: page => button(page, 'Invite').click(),
    kept: (page, word) => value(page, 'Email, optional', `${word.toLowerCase()}@example.com`),
    async done(page) {
      expect(await page.getByLabel('Invitation link').inputValue()).toMatch(/\/invite\/[\w-]{43}$/)
    },
    effects: counted('invitation'),
  },
  {
    name: 'token',
    path: () => '/acme/settings/tokens',
    fill: (page, word) => page.getByLabel('Name', { exact: true }).fill(`token ${word}`),
    send: page => button(page, 'Create token').click(),
    kept: (page, word) => value(page, 'Name', `token ${word}`),
    async done(page) {
      expect(await page.getByLabel('New token', { exact: true }).inputValue()).toMatch(/^sntrys_/)
    },
    effects: counted('auth_token'),
  },
  {
    name: 'channel',
    path: () => '/acme/settings/channels/new?kind=webhook',
    async fill(page, word) {
      await page.getByLabel('Name', { exact: true }).fill(`hook ${word}`)
      await page.getByLabel('URL').fill('https://hooks.example.com/hook')
    },
    send: page => button(page, 'Create channel').click(),
    kept: (page, word) => value(page, 'Name', `hook ${word}`),
    async done(page) {
      expect(await page.getByLabel('Signing secret', { exact: true }).inputValue()).toMatch(/^whsec_/)
    },
    effects: counted('channel'),
  },
  {
    name: 'name of the account',
    path: () => '/account',
    fill: (page, word) => page.getByLabel('Name', { exact: true }).fill(`Ada ${word}`),
    send: page => button(page, 'Save name').click(),
    kept: (page, word) => value(page, 'Name', `Ada ${word}`),
    done: page => says(page, 'Name changed.'),
    effects: audited('user.rename'),
  },
  {
    name: 'theme',
    path: () => '/acme/settings',
    fill: async () => {},
    send: page => page.getByRole('form', { name: 'Theme' }).locator('button:not([aria-current])').first().click(),
    kept: async page => expect(await page.getByRole('form', { name: 'Theme' }).count()).toBe(1),
    done: async () => {},
    effects: '',
  },
]
