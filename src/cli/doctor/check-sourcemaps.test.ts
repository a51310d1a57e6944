import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readBuiltCart } from '../../../test/read-built-cart.ts'
import { checkSourcemaps } from './check-sourcemaps.ts'

const id = 'aaaaaaaa-1111-4222-8333-aaaaaaaaaaaa'
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A folder as a build leaves it. */
async function check(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-build-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return (await checkSourcemaps(folder)).map(({ state, sentence }) => `${state} ${sentence}`)
}

const { minified, map } = readBuiltCart('vite')
const withId = (text: string): string => `${text}\n//# debugId=${id}\n`
const mapWith = (fields: object): string => JSON.stringify({ ...JSON.parse(map), ...fields })

test('a build with matching debug ids, maps and sources has no problems', async () => {
  expect(await check({ 'static/cart.js': withId(minified), 'static/cart.js.map': mapWith({ debugId: id }) })).toEqual([
    'ok 1 of 1 script ready to upload.',
  ])
})

test('each problem lists its files', async () => {
  const checks = await check({
    'a.js': withId('1'),
    'b.js': minified.replace('cart.js.map', 'gone.js.map'),
    'c.js': `1\n//# sourceMappingURL=c.js.map`,
    'c.js.map': 'not a map',
    'd.js': `1\n//# sourceMappingURL=d.js.map`,
    'd.js.map': map,
    'e.js': withId('1\n//# sourceMappingURL=e.js.map'),
    'e.js.map': mapWith({ debug_id: id.replace('a', 'b'), sourcesContent: undefined }),
    'node_modules/x.js': '1',
  })
  expect(checks.sort()).toEqual([
    'fail 1 of 5 scripts have a source map that cannot be read: c.js (map unreadable).',
    'fail 1 of 5 scripts have another debug id than their source map: e.js.',
    'fail 1 of 5 scripts have no debug id: d.js.',
    'fail 1 of 5 scripts refer to a source map that does not exist: b.js (gone.js.map).',
    'warn 1 of 5 scripts have a source map without all sources: e.js (2 of 2).',
    'warn 1 of 5 scripts have no source map: a.js.',
  ])
})

test('maps that a plugin deleted after the upload are only a warning, and files that only Next’s build runs are skipped', async () => {
  const checks = await check({
    '.next/BUILD_ID': 'x',
    '.next/build/chunks/loader.js': '1\n//# sourceMappingURL=loader.js.map',
    '.next/types/routes.js': '1\n//# sourceMappingURL=routes.js.map',
    '.next/static/chunks/a.js': withId('1\n//# sourceMappingURL=a.js.map'),
    '.next/server/build/page.js': withId(minified),
    '.next/server/build/cart.js.map': mapWith({ debugId: id }),
  })
  expect(checks).toEqual([
    'warn 1 of 2 scripts have a debug id, but their source map was deleted: .next/static/chunks/a.js (a.js.map).',
    'ok 1 of 2 scripts ready to upload.',
  ])
})

test('an empty and a missing folder are reported', async () => {
  expect((await check({ 'index.html': '' }))[0]).toMatch(/^fail No scripts found/)
  expect((await checkSourcemaps('/nowhere/at/all'))[0]?.sentence).toMatch(/cannot be read: ENOENT/)
})
