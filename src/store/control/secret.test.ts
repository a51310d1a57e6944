import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isSetupCode, loadSecret, setupCode } from './secret.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hydrant-secret-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

test('a secret is created once, readable only by its owner, and reused', () => {
  const folder = join(dataDir, 'not', 'there', 'yet')
  const secret = loadSecret({ dataDir: folder })
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(loadSecret({ dataDir: folder })).toBe(secret)
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['secret'])
})

test('a secret from the environment is used, and no file is written', () => {
  expect(loadSecret({ dataDir, secret: 'from outside' })).toBe('from outside')
  expect(readdirSync(dataDir)).toEqual([])
})

test('a damaged secret file is refused', () => {
  for (const left of ['', 'f'.repeat(32), 'garbage']) {
    writeFileSync(join(dataDir, 'secret'), left)
    expect(() => loadSecret({ dataDir })).toThrow(/secret, which signs sessions, is damaged\. Restore it/)
  }
})

test('the setup code depends only on the secret', () => {
  expect(setupCode('a')).toBe(setupCode('a'))
  expect(setupCode('a')).not.toBe(setupCode('b'))
  expect(setupCode('a')).toMatch(/^(?:[0-9a-z]{4}-){3}[0-9a-z]{4}$/)
})

test('the setup code is accepted in any case and with any separators', () => {
  const code = setupCode('a')
  expect(isSetupCode('a', ` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(true)
  for (const wrong of ['', '-', code.slice(1), setupCode('b'), `${code}0`]) expect(isSetupCode('a', wrong)).toBe(false)
})
