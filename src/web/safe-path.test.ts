import { expect, test } from 'vitest'
import { safePath } from './safe-path.ts'

test('only paths of this server are allowed, never another host', () => {
  expect(safePath('/acme/issues?project=web')).toBe('/acme/issues?project=web')
  for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil', '', null]) {
    expect(safePath(path)).toBe('/')
  }
})
