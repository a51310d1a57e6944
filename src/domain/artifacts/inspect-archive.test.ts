import { randomFillSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundleFile, makeBundle } from '../../../test/make-bundle.ts'
import { inspectArchive } from './inspect-archive.ts'

const MiB = 1024 * 1024
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hydrant-archive-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function inspect(bytes: Buffer) {
  const path = join(folder, 'bundle')
  writeFileSync(path, bytes)
  return inspectArchive(path)
}
const script: BundleFile = {
  path: 'files/a.js',
  type: 'minified_source',
  url: '~/a.js',
  content: 'x',
  sourcemap: 'a.map',
}
const map: BundleFile = { path: 'files/a.map', type: 'source_map', url: '~/a.map', content: '{}' }
const detailOf = async (bytes: Buffer) => {
  const inspection = await inspect(bytes)
  return inspection.ok ? 'accepted' : `${inspection.step}: ${inspection.detail}`
}

test('a bundle is listed without unpacking, with the release of its manifest', async () => {
  expect(await inspect(makeBundle([script, map], { release: 'web@1.0.0', dist: 'd1' }))).toMatchObject({
    ok: true,
    release: 'web@1.0.0',
    dist: 'd1',
    files: [
      { path: 'files/a.js', kind: 'minified_source', sourceMapRef: 'a.map', sizeBytes: 1 },
      { path: 'files/a.map', kind: 'source_map', sizeBytes: 2 },
    ],
  })
})

test('a zip bomb is rejected by its declared sizes', async () => {
  expect(await detailOf(makeBundle([{ ...script, content: Buffer.alloc(70 * MiB) }]))).toContain('zip bomb')
})

test('a map that is too large is rejected by name', async () => {
  const content = randomFillSync(Buffer.alloc(65 * MiB))
  expect(await detailOf(makeBundle([script, { ...map, content }]))).toMatch(
    /^manifest: files\/a\.map has 68157440 bytes/,
  )
})

test('paths outside of the archive and duplicate files are rejected', async () => {
  for (const path of ['../x', '/etc/passwd', 'a/../../x', 'C:\\x'])
    expect(await detailOf(makeBundle([{ ...script, path }])), path).toMatch(/^archive: /)
  expect(await detailOf(makeBundle([script, script]))).toContain('twice')
})

test('a file that is not a bundle, is truncated or has no manifest is rejected with a reason', async () => {
  const whole = makeBundle([script, map])
  expect(await detailOf(Buffer.from('hello'))).toBe('archive: This is not an artifact bundle.')
  expect(await detailOf(Buffer.alloc(0))).toBe('archive: This is not an artifact bundle.')
  expect(await detailOf(whole.subarray(0, whole.length - 30))).toMatch(/^archive: The archive can't be read/)
  const renamed = Buffer.from(whole.toString('latin1').replaceAll('manifest.json', 'manifest.jsox'), 'latin1')
  expect(await detailOf(renamed)).toBe('manifest: The archive has no manifest.json.')
  const missing = Buffer.from(
    whole
      .toString('latin1')

      .replace(/files\/a\.map(?!")/g, 'files/b.map'),
    'latin1',
  )
  expect(await detailOf(missing)).toContain('which is not in the archive')
})
