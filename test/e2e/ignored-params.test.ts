/** Pages open with the defaults for what they don't know in their URL, and say so. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { sendLines } from './send-lines.ts'
import { signInVisitor, type Visitor } from './visitor.ts'

let hydrant: Hydrant
let visitor: Visitor
beforeAll(async () => {
  hydrant = await borrowHydrant()
  const [email, password] = ['ada@example.com', 'correct horse']
  const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', '--email', email, '--password', password)
  // Known by a log line only, so the menu doesn't list it.
  await sendLines(dsn, [{ body: 'hello', attributes: { 'sentry.environment': 'production' } }])
  await hydrant.drained()
  visitor = await signInVisitor(hydrant.url, email, password)
})
afterAll(() => hydrant?.stop())

const listed = ['range=14d', 'sort=undefined', 'after=0-0', 'start=soon']
test('settings/audit', async () => {
  const given = ['subject=undefined', 'days=14', 'before=x', 'verify=yes']
  const html = await (await visitor.get(`/acme/settings/audit?${given.join('&')}`)).text()
  for (const each of given) expect(html, each).toContain(`<code>${each}</code>`)
  expect(await (await visitor.get('/acme/settings/audit?days=1&q=ada')).text()).not.toContain('Ignored in the URL')
})

test.each([
  ['issues', listed],
  ['traces', listed],
  ['profiles', listed],
  ['replays', listed],
  ['logs', [...listed, 'live=yes']],
  ['logs/patterns', ['range=14d', 'start=soon']],
  ['releases', ['range=14d', 'sort=undefined', 'page=0']],
  ['feedback', ['range=14d', 'view=undefined', 'page=x']],
  ['routes', ['range=14d', 'sort=undefined', 'view=undefined', 'chart=undefined']],
])('%s', async (path, given) => {
  const page = await visitor.get(`/acme/${path}?${given.join('&')}`)
  const html = await page.text()
  expect(page.status).toBe(200)
  expect(html).toContain('Ignored in the URL')
  for (const each of given) expect(html, each).toContain(`<code>${each}</code>`)
  const elsewhere = await (await visitor.get(`/acme/${path}?env=nowhere`)).text()
  expect(elsewhere).toContain('No data has the environment <code>nowhere</code>')
  expect(await (await visitor.get(`/acme/${path}?env=production`)).text()).not.toContain('No data has')
  expect(await (await visitor.get(`/acme/${path}?range=7d&utm_source=mail`)).text()).not.toContain('Ignored in the URL')
})
