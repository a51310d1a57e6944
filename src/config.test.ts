import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig, secretVariables } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'hydrant-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileWith = (text: string) => {
  const path = join(folder, `secret-${text.length}`)
  writeFileSync(path, text)
  return path
}

const faultsOf = (env: Record<string, string>) => {
  const result = readConfig(env)
  return result.ok ? [] : result.faults
}

test('an empty environment is a whole configuration', () => {
  const result = readConfig({})
  expect(result.ok && result.config).toMatchObject({
    port: 8000,
    publicUrl: 'http://localhost:8000',
    retentionDays: { errors: 90, rest: 30 },
    selfReport: true,
  })
})

test('every fault is named with its variable, all at once', () => {
  const faults = faultsOf({
    PORT: '99999',
    HYDRANT_URL: 'ftp://x',
    DATABASE_URL: 'mysql://x',
    HYDRANT_SECRET: 'short',
    HYDRANT_RETENTION_DAYS: 'ten',
  })
  expect(faults.map(fault => fault.split(':')[0])).toEqual([
    'PORT',
    'HYDRANT_URL',
    'HYDRANT_SECRET',
    'DATABASE_URL',
    'HYDRANT_RETENTION_DAYS',
  ])
})

test.each(['localhost', '10.0.0.0/33', '10.0.0.0/x', '::1/129'])('%s is not a proxy that can be trusted', entry => {
  expect(faultsOf({ HYDRANT_TRUSTED_PROXIES: `10.0.0.1,${entry}` })[0]).toContain('HYDRANT_TRUSTED_PROXIES')
})

test('a fault does not print the password in a URL, nor a secret', () => {
  const words = faultsOf({ DATABASE_URL: 'mysql://me:hunter2@db/x', HYDRANT_SECRET: 'hunter2' }).join(' ')
  expect(words).not.toContain('hunter2')
})

test('a variable that is set to nothing counts as absent', () => {
  expect(readConfig({ DATABASE_URL: '', PORT: '' }).ok).toBe(true)
})

test('a provider needs client and secret, groups need roles, and a header needs a proxy', () => {
  const faults = faultsOf({
    HYDRANT_OIDC_ISSUER: 'https://id.acme.dev',
    HYDRANT_GITHUB_CLIENT_ID: 'abc',
    HYDRANT_SSO_GROUP_ROLES: 'ops=king',
    HYDRANT_PROXY_AUTH_HEADER: 'Remote-Email',
  })
  expect(faults.map(fault => fault.split(':')[0]).toSorted()).toEqual([
    'HYDRANT_GITHUB_CLIENT_ID',
    'HYDRANT_OIDC_ISSUER',
    'HYDRANT_PROXY_AUTH_HEADER',
    'HYDRANT_SSO_GROUP_ROLES',
  ])
})

test('groups and domains are lists', () => {
  const result = readConfig({
    HYDRANT_SSO_GROUP_ROLES: 'ops=admin, cn=dev=member',
    HYDRANT_SSO_ALLOWED_DOMAINS: 'Acme.dev',
  })
  expect(result.ok && result.config.sso).toMatchObject({
    groupRoles: [
      { group: 'ops', role: 'admin' },
      { group: 'cn=dev', role: 'member' },
    ],
    allowedDomains: ['acme.dev'],
  })
})

test('each secret can be in a file, with a line break at its end', () => {
  const result = readConfig({
    HYDRANT_SECRET_FILE: fileWith(`${'s'.repeat(32)}\n`),
    SMTP_URL_FILE: fileWith('smtp://user:hunter2@mail.acme.dev\r\n'),
  })
  expect(result).toMatchObject({
    ok: true,
    config: { secret: 's'.repeat(32), mail: { url: 'smtp://user:hunter2@mail.acme.dev' } },
  })
})

test('a secret in a file is checked as one in a variable, and not printed', () => {
  const faults = faultsOf({
    HYDRANT_SECRET_FILE: fileWith('hunter2'),
    DATABASE_URL_FILE: fileWith('mysql://me:hunter2@db'),
  })
  expect(faults.map(fault => fault.split(':')[0])).toEqual(['HYDRANT_SECRET', 'DATABASE_URL'])
  expect(faults.join(' ')).not.toContain('hunter2')
})

test.each(secretVariables)('%s and its file exclude each other, and the file must hold something', name => {
  expect(faultsOf({ [name]: 'x', [`${name}_FILE`]: fileWith('x') })[0]).toBe(
    `${name}_FILE: set either ${name} or ${name}_FILE`,
  )
  expect(faultsOf({ [`${name}_FILE`]: join(folder, 'missing') })[0]).toContain(
    `${name}_FILE: ${join(folder, 'missing')} can't be read`,
  )
  expect(faultsOf({ [`${name}_FILE`]: fileWith('\n') })[0]).toContain('is empty')
  expect(faultsOf({ [`${name}_FILE`]: fileWith('x'.repeat(65_537)) })[0]).toContain('is larger than 64 KiB')
})

test('an empty name of a file counts as absent', () => {
  expect(readConfig({ HYDRANT_SECRET_FILE: '' }).ok).toBe(true)
})

test('the first owner needs an address and a password, and slugs', () => {
  expect(faultsOf({ HYDRANT_OWNER_EMAIL: 'ada@acme.dev' })[0]).toContain('needs HYDRANT_OWNER_PASSWORD')
  const faults = faultsOf({
    HYDRANT_OWNER_EMAIL: 'ada',
    HYDRANT_OWNER_PASSWORD: 'hunter2',
    HYDRANT_OWNER_PROJECT: 'My app',
  })
  expect(faults.map(fault => fault.split(':')[0])).toEqual(['HYDRANT_OWNER_EMAIL', 'HYDRANT_OWNER_PROJECT'])
  expect(faults.join(' ')).not.toContain('hunter2')
  expect(readConfig({}).ok && readConfig({})).toMatchObject({ config: { firstOwner: null } })
})
