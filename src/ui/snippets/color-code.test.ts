import { expect, test } from 'vitest'
import { colourCode } from './color-code.ts'

test('colouring loses no character, and a word inside a string is no keyword', () => {
  const code = "import x from 'import from' // from here\nconst n = 12"
  const tokens = colourCode(code)
  expect(tokens.map(token => token.text).join('')).toBe(code)
  expect(tokens.filter(token => token.look === 'ck').map(token => token.text)).toEqual(['import', 'from', 'const'])
  expect(tokens.find(token => token.look === 'cs')?.text).toBe("'import from'")
})
