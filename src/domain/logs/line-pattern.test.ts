import { expect, test } from 'vitest'
import { patternId, patternText } from './line-pattern.ts'
import { maskText } from './mask-text.ts'

test.each([
  ['order 55213 placed, total 642.00 NOK', 'order <*> placed, total <*> NOK'],
  ['GET shipping.internal/quotes?to=SE 200 31 ms', 'GET shipping.internal/quotes?<*> <*> <*> ms'],
  ['user ada@shop.example signed in from 10.0.0.7:5432', 'user <*> signed in from <*>'],
  ['request 7f3c2a10-93bb-4c1e-8c7e-000000000001 failed', 'request <*> failed'],
  ['stripe: request req_Xk29 failed: "idempotency key"', 'stripe: request <*> failed: <*>'],
  ['{"order":55213,"state":"paid"}', '{"order":<*>,"state":<*>}'],
  ['worker exited: JavaScript heap out of memory', 'worker exited: JavaScript heap out of memory'],
  ["can't reach the cache, don't retry", "can't reach the cache, don't retry"],
  ['took 12.5ms at 2026-11-17T14:00:00.123Z', 'took <*> at <*>'],
  ['a\n  b\t7', 'a b <*>'],
])('%s', (body, masked) => {
  expect(maskText(body)).toBe(masked)
})

test('the template of the SDK is the pattern, whatever its values', () => {
  const template = 'Order %s shipped to {city}, {}'
  expect(patternText({ template, body: 'Order 1 shipped to Zurich, x' })).toBe('Order <*> shipped to <*>, <*>')
  expect(patternId({ template, body: 'a' })).toBe(patternId({ template, body: 'b' }))
  expect(patternId({ template: '', body: 'order 1' })).toBe(patternId({ template: '', body: 'order 2' }))
  expect(patternId({ template: '', body: 'order' })).toMatch(/^[0-9a-f]{16}$/)
})

test('a message of a megabyte costs as much as its first thousand characters', () => {
  expect(maskText('x1 '.repeat(400_000)).length).toBeLessThanOrEqual(2_000)
})
