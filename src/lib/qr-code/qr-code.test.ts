import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { drawQrCode, qrPath } from './qr-code.ts'

/** What scanners look for in three corners. */
const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']
const corner = (rows: boolean[][], left: number, top: number): string[] =>
  rows.slice(top, top + 7).map(row =>
    row
      .slice(left, left + 7)
      .map(Number)
      .join(''),
  )

test.each([
  [1, 29],
  [42, 29],
  [43, 33],
  [106, 41],
  [213, 57],
])('a text of %i bytes has %i rows and three finders', (length, size) => {
  const rows = drawQrCode('x'.repeat(length))
  expect([rows.length, ...new Set(rows.map(row => row.length))]).toEqual([size, size])
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const)
    expect(corner(rows, left, top)).toEqual(finder)
})

test('a longer text is refused', () => {
  expect(() => drawQrCode('x'.repeat(214))).toThrow('214 bytes are too many')
})

test('a code that scanners have read stays the same', () => {
  const uri = 'otpauth://totp/Hydrant:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Hydrant'
  expect(
    createHash('sha256')
      .update(qrPath(drawQrCode(uri)))
      .digest('hex')
      .slice(0, 16),
  ).toBe('a8119da70bbe9002')
})
