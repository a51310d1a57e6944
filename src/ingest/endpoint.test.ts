import { expect, test } from 'vitest'
import { createUrlParser } from './endpoint.ts'

test('a URL is parsed once and cached, within limits', () => {
  const parse = createUrlParser()
  const url = '/api/42/envelope/?sentry_key=k'
  expect(parse(url)).toMatchObject({ route: { endpoint: 'envelope', project: '42' } })
  expect(parse(url)).toBe(parse(url))
  const before = parse(url)
  for (let index = 0; index < 600; index++) parse(`/page/${index}`)
  expect(parse(url)).not.toBe(before)
  expect(parse(url)).toEqual(before)
  const long = `/api/42/store/?sentry_data=${'x'.repeat(400)}`
  expect(parse(long)).not.toBe(parse(long))
})
