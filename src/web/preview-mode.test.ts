import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { dropPreviewMode } from './preview-mode.ts'

it('drops what would turn on the preview mode of Next, and nothing else', () => {
  const headers = {
    host: 'localhost',
    'x-prerender-revalidate': 'key',
    'x-prerender-revalidate-if-generated': '1',
    'x-next-revalidated-tags': 'a',
    'x-next-revalidate-tag-token': 'key',
    cookie: 'theme=dark; __prerender_bypass=key; hydrant.session=a=b; __next_preview_data=x',
  }
  dropPreviewMode(headers)
  expect(headers).toEqual({ host: 'localhost', cookie: 'theme=dark; hydrant.session=a=b' })
})

it.each([
  ['__prerender_bypass=key', ''],
  ['__prerender_bypass=key; theme=dark', 'theme=dark'],
  ['theme=dark', 'theme=dark'],
  ['my__prerender_bypass=1', 'my__prerender_bypass=1'],
])('makes the cookies %j to %j', (cookie, expected) => {
  const headers = { cookie }
  dropPreviewMode(headers)
  dropPreviewMode(headers) // a global pattern keeps its position
  expect(headers.cookie).toBe(expected)
})

it('knows all headers and cookies that Next compares with a key', async () => {
  const next = createRequire(import.meta.url).resolve('next/dist/lib/constants.js')
  await access(next, constants.R_OK)
  const text = await readFile(next, 'utf8')
  const names = [...text.matchAll(/const (?:PRERENDER_REVALIDATE|NEXT_CACHE_REVALIDATE)\w* = '([^']+)'/g)].map(
    ([, name = '']) => name,
  )
  expect(names.length).toBeGreaterThanOrEqual(3)
  const headers = Object.fromEntries(names.map(name => [name, 'key']))
  dropPreviewMode(headers)
  expect(headers).toEqual({})
})
