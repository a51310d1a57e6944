import { expect, test } from 'vitest'
import { showHidden } from './show-hidden.ts'

test('text that turns the writing direction or has no width is seen', () => {
  expect(showHidden('safe\u202etxt.exe')).toBe('safe⟨202E⟩txt.exe')
  expect(showHidden('\u200b\ufeff')).toBe('⟨200B⟩⟨FEFF⟩')
})

test('Arabic, Hindi and family emoji stay as they were written', () => {
  for (const text of ['خطأ في الدفع', 'क्‍ष', '👨‍👩‍👧', 'a\tb\nc']) expect(showHidden(text)).toBe(text)
})
