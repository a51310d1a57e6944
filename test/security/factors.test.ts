/**
 * Users who have a second factor must use it before they change factors. Covers every action that changes factors, from every session
 * that hasn't used one.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Control, openControl } from '#store/control/open-control.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { listActions } from '../e2e/app-manifest.ts'
import { createVisitor, signInVisitor, type Visitor } from '../e2e/visitor.ts'
import { isLong } from '../long.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { totpCode } from '../totp-code.ts'
import { listFactorActions, listFactorWriters, listGuarded } from './factor-actions.ts'

const password = 'correct horse'
const refusal = 'Use the second factor you have first'

let hydrant: Hydrant
let control: Control
beforeAll(async () => {
  hydrant = await borrowHydrant()
  await hydrant.init('--org', 'acme', '--project', 'web', '--email', 'app@example.com', '--password', password)
  for (const name of ['key', 'none'])
    await hydrant.cli('user', 'add', '--email', `${name}@example.com`, '--role', 'member', '--password', password)
  control = openControl({ dataDir: hydrant.dataDir })
})
afterAll(async () => {
  await control?.close()
  await hydrant?.stop()
})

const userId = async (email: string) =>
  (await control.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

const pageOf: Record<string, string> = { '(entry)/login/second-factor': '/login/second-factor' }
/** Calls an action by its name in the source. */
async function call(visitor: Visitor, name: string, fields: Record<string, string> = {}): Promise<string> {
  const action = listActions().find(each => each.name === name)
  if (action === undefined) throw new Error(`no page has the action ${name}`)
  const page = action.pages.find(each => !each.includes('[')) ?? pageOf[name] ?? ''
  return (await visitor.call(page, action.id, fields)).text()
}

/** Each change that an action can be asked for, with the fields of all of them. */
const inputs = (passkey: string): Record<string, string>[] => [
  { password, passkey },
  { password, passkey, otp: '000000' },
  { password, passkey, change: 'codes' },
  { password, passkey, change: 'off' },
  { password, passkey, change: 'nonsense' },
]

const factors = async () =>
  JSON.stringify([
    await control.db.selectFrom('passkey').select(['id', 'user_id', 'name']).orderBy('id').execute(),
    await control.db.selectFrom('twoFactor').select(['id', 'secret', 'backupCodes', 'userId']).orderBy('id').execute(),
    await control.db.selectFrom('one_time_token').select('purpose').where('purpose', '=', 'add-passkey').execute(),
  ])

async function addPasskeyOf(email: string): Promise<string> {
  const id = `key of ${email}`
  await control.db
    .insertInto('passkey')
    .values({
      ...{ id, user_id: await userId(email), name: 'laptop', credential_id: id, public_key: 'k', counter: 0 },
      ...{ transports: '[]', created_at: Date.now(), last_used_at: null },
    })
    .execute()
  return id
}

/** With all inputs, or with the first of each action: whether a session may change factors does not depend on them. */
async function expectRefusals(visitor: Visitor, passkey: string, { isWhole = isLong } = {}): Promise<void> {
  const before = await factors()
  const given = isWhole ? inputs(passkey) : inputs(passkey).slice(0, 1)
  for (const name of listFactorActions())
    for (const fields of given)
      expect(await call(visitor, name, fields), `${name} ${JSON.stringify(fields)}`).toContain(refusal)
  expect(await factors()).toBe(before)
  // The page offers the way to show it, and none to change anything.
  const page = await (await visitor.get('/account')).text()
  expect(page).toContain('Use your second factor')
  for (const label of ['Add authenticator app', 'New recovery codes', 'Remove app', 'Add passkey'])
    expect(page).not.toContain(label)
}

test('the walk finds the actions, and whatever changes factors is behind the guard', () => {
  expect(listFactorActions()).toEqual(
    expect.arrayContaining([
      'account/passkey-actions.ts#startPasskey',
      'account/passkey-actions.ts#savePasskey',
      'account/passkey-actions.ts#deletePasskey',
      'account/two-factor-actions.ts#stepApp',
      'account/two-factor-actions.ts#changeApp',
    ]),
  )
  expect(listGuarded().toSorted()).toEqual([
    ...['beginAdding', 'confirmApp', 'finishAdding', 'removeApp', 'removePasskey', 'renewRecoveryCodes', 'startApp'],
  ])
  // `addPasskey` and `deletePasskey` are called by guarded functions; `notePasskeyUse` counts a sign-in.
  const behind = ['addPasskey', 'deletePasskey', 'notePasskeyUse'].map(name => `domain/sign-in/passkeys.ts#${name}`)
  const guarded = listGuarded().map(name => `#${name}`)
  const loose = listFactorWriters().filter(each => !behind.includes(each) && !guarded.some(name => each.endsWith(name)))
  expect(loose).toEqual([])
})

test('a session that has shown no passkey changes no factor', async () => {
  const visitor = await signInVisitor(hydrant.url, 'key@example.com', password)
  // A pending app from before the passkey is not switched on either.
  await call(visitor, 'account/two-factor-actions.ts#stepApp', { password })
  const passkey = await addPasskeyOf('key@example.com')
  await expectRefusals(visitor, passkey, { isWhole: true })
  const confirmed = await call(visitor, 'account/two-factor-actions.ts#confirmCode', { otp: '000000', next: '/' })
  expect(confirmed).toContain('Wrong code')
})

test('a session in a trusted browser, or from before, changes no factor until it has shown the app or a recovery code', async () => {
  const email = 'app@example.com'
  const visitor = await signInVisitor(hydrant.url, email, password)
  const begun = await call(visitor, 'account/two-factor-actions.ts#stepApp', { password })
  const key = /"text":"([A-Z2-7 ]{20,})"/.exec(begun)?.[1] ?? ''
  expect(key).not.toBe('')
  const codes = await call(visitor, 'account/two-factor-actions.ts#stepApp', { otp: totpCode(key) })
  const recovery = [...codes.matchAll(/"([\w]{5}-[\w]{5})"/g)].map(([, code = '']) => code)
  expect(recovery.length).toBe(10)

  // In a browser that is trusted with the next code, and signs in again.
  const browser = createVisitor(hydrant.url)
  await browser.submit('/login', { email, password })
  const otp = totpCode(key, Date.now() + 30_000)
  expect((await browser.submit('/login/two-factor', { otp, with: 'app', trust: 'on' })).status).toBe(303)
  const passkey = await addPasskeyOf(email)
  await control.db
    .deleteFrom('session')
    .where('userId', '=', await userId(email))
    .execute()
  expect((await browser.submit('/login', { email, password })).headers.get('location')).toBe('/')
  await expectRefusals(browser, passkey)

  // A sign-in through a provider that counts as two factors has not shown this one either.
  await control.db
    .updateTable('session')
    .set({ method: 'oidc' })
    .where('userId', '=', await userId(email))
    .execute()
  await expectRefusals(browser, passkey)

  const confirm = (code: string, kind: string) =>
    call(browser, 'account/two-factor-actions.ts#confirmCode', { otp: code, with: kind, next: '/account' })
  expect(await confirm('00000-00000', 'recovery')).toContain('Wrong code')
  await expectRefusals(browser, passkey)
  await confirm(recovery[0] ?? '', 'recovery')
  expect(await (await browser.get('/account')).text()).toContain('9 recovery codes are left')
  const renewed = await call(browser, 'account/two-factor-actions.ts#changeApp', { password, change: 'codes' })
  expect(renewed).toMatch(/"\w{5}-\w{5}"/)
  // It counts for a quarter of an hour.
  const shownAt = Date.now() - 15 * 60_000
  await control.db
    .updateTable('session')
    .set({ factorAt: shownAt })
    .where('userId', '=', await userId(email))
    .execute()
  await expectRefusals(browser, passkey)
  await control.db
    .updateTable('session')
    .set({ factorAt: Date.now() })
    .where('userId', '=', await userId(email))
    .execute()
  expect(await call(browser, 'account/two-factor-actions.ts#changeApp', { password, change: 'nonsense' })).toContain(
    'Choose one of the changes',
  )

  // The page lists the browser, and without its trust the next sign-in is asked for the code.
  expect(await (await browser.get('/account')).text()).toContain('End trust')
  const trust = await control.db
    .selectFrom('verification')
    .select('id')
    .where('value', '=', await userId(email))
    .executeTakeFirstOrThrow()
  expect(await call(browser, 'account/actions.ts#endOneTrust', { browser: trust.id })).toContain('no longer trusted')
  const another = createVisitor(hydrant.url)
  expect((await another.submit('/login', { email, password })).headers.get('location')).toBe('/login/two-factor')

  await call(browser, 'account/passkey-actions.ts#deletePasskey', { passkey })
  await call(browser, 'account/two-factor-actions.ts#changeApp', { password, change: 'off' })
  expect(
    await control.db
      .selectFrom('twoFactor')
      .select('id')
      .where('userId', '=', await userId(email))
      .execute(),
  ).toEqual([])
})

test('a member without a factor adds one without showing any', async () => {
  const visitor = await signInVisitor(hydrant.url, 'none@example.com', password)
  expect(await call(visitor, 'account/two-factor-actions.ts#stepApp', { password })).toContain('"kind":"scan"')
  expect(await (await visitor.get('/account')).text()).toContain('Add authenticator app')
})
