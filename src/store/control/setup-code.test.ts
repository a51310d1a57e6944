import { expect, test } from 'vitest'
import { isSetupCode, setupCode } from './setup-code.ts'

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
