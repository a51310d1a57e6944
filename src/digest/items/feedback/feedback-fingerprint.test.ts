import { expect, test } from 'vitest'
import type { StoredEvent } from '#protocol/event.ts'
import { feedbackFingerprint } from './feedback-fingerprint.ts'

let next = 0
const of = (feedback: Record<string, unknown>, transaction = '/checkout'): string =>
  feedbackFingerprint({
    event_id: String(++next).padStart(32, '0'),
    contexts: { feedback },
    transaction,
  } as unknown as StoredEvent).join()

test('the same words about the same route are one issue', () => {
  const first = of({ message: 'Cannot place my order 4711!' })
  expect(of({ message: 'cannot place my ORDER 12' })).toBe(first)
  expect(of({ message: 'cannot place my order 12' }, '/cart')).not.toBe(first)
  expect(of({ message: 'cannot place another order 12' })).not.toBe(first)
})

test('a few words say too little to be joined', () => {
  expect(of({ message: 'It broke' })).not.toBe(of({ message: 'It broke' }))
  expect(of({})).not.toBe(of({}))
})

test('words of other scripts count too', () => {
  expect(of({ message: 'Заказ не работает' })).toBe(of({ message: 'заказ не работает…' }))
})

test('reports of the crash dialog about one error are one issue', () => {
  const report = (id: string, message: string) => of({ source: 'user_report', associated_event_id: id, message })
  expect(report('a'.repeat(32), 'first words of mine')).toBe(report('a'.repeat(32), 'no, other words'))
  expect(report('a'.repeat(32), 'the same few words')).not.toBe(report('b'.repeat(32), 'the same few words'))
})

test('a message cannot name a variable of fingerprints', () => {
  expect(of({ message: '{{ default }} {{ transaction }} and more' })).not.toContain('{{')
})
