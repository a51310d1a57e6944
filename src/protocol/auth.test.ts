import { expect, test } from 'vitest'
import { type AuthSources, readAuth } from './auth.ts'

const key = '0123456789abcdef0123456789abcdef'

const from = (given: { header?: string; authorization?: string; query?: string; pathKey?: string }): AuthSources => ({
  sentryAuthHeader: given.header,
  authorizationHeader: given.authorization,
  query: new URLSearchParams(given.query ?? ''),
  pathKey: given.pathKey,
})

test.each([
  ['a header', { header: `Sentry sentry_key=${key}, sentry_version=7, sentry_client=cli/1` }, 'cli/1'],
  ['a header in another case, without blanks', { header: `sentry sentry_version=7,sentry_key=${key}` }, ''],
  ['an upper-case key', { header: `Sentry sentry_key=${key.toUpperCase()}` }, ''],
  ['Authorization', { authorization: `Sentry sentry_key=${key}, sentry_version=7` }, ''],
  ['Basic', { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }, ''],
  [
    'the query',
    { query: `sentry_key=${key}&sentry_version=7&sentry_client=sentry.javascript.node%2F11.11.0` },
    'sentry.javascript.node/11.11.0',
  ],
  ['the path', { pathKey: key }, ''],
  [
    "the query, beside a proxy's own password",
    { query: `sentry_key=${key}`, authorization: 'Basic YWRtaW46cGFzcw==' },
    '',
  ],
  ['the query, beside a bearer token', { query: `sentry_key=${key}`, authorization: 'Bearer abc' }, ''],
])('a key comes by %s', (_name, given, client) => {
  expect(readAuth(from(given))).toEqual({ ok: true, auth: { publicKey: key, client } })
})

test.each([
  ['missing', {}],
  ['missing', { header: 'nonsense' }],
  ['missing', { header: 'Sentry sentry_version=7' }],
  ['multiple', { header: `Sentry sentry_key=${key}`, query: `sentry_key=${key}` }],
  ['multiple', { pathKey: key, query: `sentry_key=${key}` }],
  ['malformed_key', { query: 'sentry_key=abc' }],
  ['unsupported_version', { query: `sentry_key=${key}&sentry_version=8` }],
  ['unsupported_version', { query: `sentry_key=${key}&sentry_version=seven` }],
])('%s is a fault', (code, given) => {
  expect(readAuth(from(given))).toEqual({ ok: false, fault: { code } })
})
