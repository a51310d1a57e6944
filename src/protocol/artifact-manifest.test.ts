import { expect, test } from 'vitest'
import { readDebugId, readManifest } from './artifact-manifest.ts'

const id = '4287f66c-784a-5dc7-a4db-dbbb141c721f'
const manifestOf = (path: string) => JSON.stringify({ files: { [path]: { type: 'source', url: '~/a.js' } } })

test('a manifest of sentry-cli is read', () => {
  const json = `{"files":{"files/_/_/app.js":{"type":"minified_source","url":"~/app.js","headers":{"debug-id":"${id}","sourcemap":"app.js.map"}},"files/_/_/app.js.map":{"type":"source_map","url":"~/app.js.map","headers":{"debug-id":"${id}"}}},"debug_id":"ab42f630-5e34-5676-979c-1233a9950187","dist":"d1","org":"acme","project":"web","release":"web@1.0.0"}`
  const common = { debugId: id }
  expect(readManifest(json)).toEqual({
    ok: true,
    release: 'web@1.0.0',
    dist: 'd1',
    files: [
      { path: 'files/_/_/app.js', url: '~/app.js', kind: 'minified_source', sourceMapRef: 'app.js.map', ...common },
      { path: 'files/_/_/app.js.map', url: '~/app.js.map', kind: 'source_map', sourceMapRef: '', ...common },
    ],
  })
})

test('a path outside the archive refuses the whole upload and is named', () => {
  for (const path of [
    '../etc/passwd',
    '/etc/passwd',
    'a/../../b',
    'C:/x',
    'a\\b',
    'a//b',
    './a',
    'a\u0000b',
    'x'.repeat(2000),
  ]) {
    expect(readManifest(manifestOf(path)), path).toMatchObject({ ok: false })
  }
  expect(readManifest(manifestOf('../x'))).toEqual({
    ok: false,
    detail: 'manifest.json contains a path outside the archive: "../x"',
  })
})

test('an invalid manifest is refused, and invalid fields are ignored', () => {
  for (const json of ['', 'null', '[]', '{}', '{"files":[]}', '{"files":{"a":3}}'])
    expect(readManifest(json), json).toMatchObject({ ok: false })
  const odd = JSON.stringify({ files: { a: { type: 7, url: null, headers: { 'debug-id': 5 } } }, release: {} })
  expect(readManifest(odd)).toMatchObject({ ok: true, files: [{ kind: 'other', debugId: '', url: '' }], release: '' })
})

test('a debug id is normalized from every spelling', () => {
  expect([id.toUpperCase(), id.replaceAll('-', '')].map(readDebugId)).toEqual([id, id])
  expect(['', 'x', `${id}0`].map(readDebugId)).toEqual(['', '', ''])
})
