import { expect, test } from 'vitest'
import { colorCode } from './color-code.ts'

test('tokens contain the whole code, and a word in a string is not a keyword', () => {
  const code = "import x from 'import from' // from here\nconst n = 12"
  const tokens = colorCode(code)
  expect(tokens.map(token => token.text).join('')).toBe(code)
  expect(tokens.filter(token => token.look === 'ck').map(token => token.text)).toEqual(['import', 'from', 'const'])
  expect(tokens.find(token => token.look === 'cs')?.text).toBe("'import from'")
})
