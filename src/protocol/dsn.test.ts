import { expect, test } from 'vitest'
import { formatDsn, parseDsn, parseProjectId } from './dsn.ts'

const key = '0123456789abcdef0123456789abcdef'

test.each([
  [`https://${key}@errors.example/1`, { protocol: 'https', host: 'errors.example', path: '', projectId: 1 }],
  [`http://${key}@127.0.0.1:8000/42`, { protocol: 'http', host: '127.0.0.1:8000', path: '', projectId: 42 }],
  [
    `https://${key}@errors.example/deep/er/7`,
    { protocol: 'https', host: 'errors.example', path: 'deep/er', projectId: 7 },
  ],
  [`http://${key}@[::1]:8000/3`, { protocol: 'http', host: '[::1]:8000', path: '', projectId: 3 }],
])('%s is read and written back', (text, expected) => {
  const dsn = parseDsn(text)
  expect(dsn).toEqual({ ...expected, publicKey: key })
  expect(dsn === null ? null : formatDsn(dsn)).toBe(text)
})

test('a secret and the default port are left out', () => {
  expect(parseDsn(`https://${key}:secret@errors.example:443/1`)).toMatchObject({
    publicKey: key,
    host: 'errors.example',
  })
})

test.each([
  '',
  'nonsense',
  `ftp://${key}@h/1`,
  'https://h/1',
  'https://short@h/1',
  `https://${key}@h/`,
  `https://${key}@h/web`,
])('%j is no DSN', text => {
  expect(parseDsn(text)).toBeNull()
})

test.each(['0', '-1', '01', '1.5', '1e3', '99999999999999999', ' 1', ''])('%j is not a project id', text => {
  expect(parseProjectId(text)).toBeNull()
})
