import { expect, test } from 'vitest'
import { excerptAround, shorten, showHidden, splitTitle } from './shorten.ts'

test('a long text is cut and says how much is missing', () => {
  expect(shorten('abc', 3)).toBe('abc')
  expect(shorten('a'.repeat(1_000_000), 10)).toBe('aaaaaaaaaa… (999,990 more characters)')
})

test('a cut leaves no half of a character', () => {
  for (const most of [3, 4]) expect(shorten('x🜁🜁🜁', most)).toMatch(/^x🜁… /)
})

test('characters that change the writing direction or have no width become visible', () => {
  expect(showHidden('safe\u202etxt.exe')).toBe('safe⟨202E⟩txt.exe')
  expect(showHidden('\u200b\ufeff')).toBe('⟨200B⟩⟨FEFF⟩')
})

test('Arabic, Hindi and family emoji stay as they were written', () => {
  for (const text of ['خطأ في الدفع', 'क्‍ष', '👨‍👩‍👧', 'a\tb\nc']) expect(showHidden(text)).toBe(text)
})

test('a title is split into type and message', () => {
  expect(splitTitle('TypeError: x is not a function')).toEqual({ type: 'TypeError', message: 'x is not a function' })
  expect(splitTitle('Could not pay: card refused')).toEqual({ type: 'Could not pay: card refused', message: '' })
  expect(splitTitle('')).toEqual({ type: '(no message)', message: '' })
})

test('an excerpt shows the words that one line cuts off, and nothing if it shows them all', () => {
  const title =
    'TypeError: Cannot read properties of undefined (reading ‘total’) while the cart of a guest was merged with the stored one'
  expect(excerptAround(title, ['cannot', 'READ'])).toBeNull()
  expect(excerptAround(title, ['elsewhere'])).toBeNull()
  expect(excerptAround(title, ['cannot', 'guest'])).toBe('…the cart of a guest was merged with the stored one')
  expect(excerptAround(`${'x'.repeat(500)}needle${'y'.repeat(500)}`, ['needle'])).toMatch(/^…x{20}needley{54}…$/)
  expect(excerptAround(`${'x'.repeat(50)} needleneedleneedle`, ['needleneedleneedle'])).toMatch(/needle$/)
})
