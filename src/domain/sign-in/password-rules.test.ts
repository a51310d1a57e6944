import { expect, test } from 'vitest'
import { hashPassword, needsRehash, verifyPassword } from './password-hash.ts'
import { findPasswordFault } from './password-rules.ts'

const owner = { email: 'ada.lovelace@acme.dev', name: 'Ada Lovelace' }

test.each([
  ['correct horse', null],
  ['correct horse battery', null],
  ['tram-otter-92-lamp', null],
  ['Qz7#vLp2', null],
  ['пароль-на-весну', null],
  ['short', 'password_too_short'],
  ['x'.repeat(129), 'password_too_long'],
  ['password', 'password_common'],
  ['P4ssw0rd!23', 'password_common'],
  ['Summer2026!', 'password_common'],
  ['12345678', 'password_common'],
  ['87654321', 'password_common'],
  ['qwertyuiop', 'password_common'],
  ['1234qwer', 'password_common'],
  ['abcdefgh1', 'password_common'],
  ['letmein2026', 'password_common'],
  ['iloveyou1', 'password_common'],
  ['passwordpassword', 'password_common'],
  ['hydrant123', 'password_common'],
  ['aaaaaaaa', 'password_repeated'],
  ['abc1abc1abc1', 'password_repeated'],
  ['121212121212', 'password_repeated'],
  ['ada.lovelace@acme.dev', 'password_personal'],
  ['lovelace1815', 'password_personal'],
  ['Lovelace!!!', 'password_personal'],
  ['lovelace likes analytical engines', null],
])('%j: %s', (password, fault) => {
  expect(findPasswordFault(password, owner)).toBe(fault)
})

test('a hash verifies its own password only, and has a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(other)
  expect(await verifyPassword({ hash: one, password: 'correct horse' })).toBe(true)
  expect(await verifyPassword({ hash: one, password: 'correct horsf' })).toBe(false)
})

test('a password is the same in both Unicode forms', async () => {
  const hash = await hashPassword('caf\u00e9 au lait')
  expect(await verifyPassword({ hash, password: 'cafe\u0301 au lait' })).toBe(true)
})

test('the scrypt hashes of older accounts still verify, and are replaced later', async () => {
  const { hashPassword: hashScrypt } = await import('better-auth/crypto')
  const hash = await hashScrypt('correct horse')
  expect(await verifyPassword({ hash, password: 'correct horse' })).toBe(true)
  expect(await verifyPassword({ hash, password: 'wrong horse' })).toBe(false)
  expect([needsRehash(hash), needsRehash(await hashPassword('correct horse'))]).toEqual([true, false])
})

test.each(['', '$argon2id$', '$argon2id$v=19$m=1,t=1,p=1$AA$AA', '$argon2id$v=19$m=99999999,t=1,p=1$c2FsdHNhbHQ$AAAA'])(
  'a damaged hash verifies nothing: %j',
  async hash => {
    expect(await verifyPassword({ hash, password: 'correct horse' }).catch(() => false)).toBe(false)
  },
)
