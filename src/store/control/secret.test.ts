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

test('a secret is made once, kept private, and found again', () => {
  const folder = join(dataDir, 'not', 'there', 'yet')
  const secret = loadSecret({ dataDir: folder })
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(loadSecret({ dataDir: folder })).toBe(secret)
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['secret'])
})

test('a secret from the environment is taken, and none is written', () => {
  expect(loadSecret({ dataDir, secret: 'from outside' })).toBe('from outside')
  expect(readdirSync(dataDir)).toEqual([])
})

test('is never what is left of a damaged file', () => {
  for (const left of ['', 'f'.repeat(32), 'garbage']) {
    writeFileSync(join(dataDir, 'secret'), left)
    expect(() => loadSecret({ dataDir })).toThrow(/secret, which signs sessions, is damaged\. Restore it/)
  }
})

test('the code is the same for one secret and another for another', () => {
  expect(setupCode('a')).toBe(setupCode('a'))
  expect(setupCode('a')).not.toBe(setupCode('b'))
  expect(setupCode('a')).toMatch(/^(?:[0-9a-z]{4}-){3}[0-9a-z]{4}$/)
})

test('the code is accepted however it is typed, and nothing else is', () => {
  const code = setupCode('a')
  expect(isSetupCode('a', ` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(true)
  for (const wrong of ['', '-', code.slice(1), setupCode('b'), `${code}0`]) expect(isSetupCode('a', wrong)).toBe(false)
})
