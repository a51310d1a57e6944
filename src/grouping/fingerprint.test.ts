import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#protocol/event.ts'
import { makeError, makeFrame } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { explainGrouping } from './explain-grouping.ts'
import { linkedGroupHash } from './fingerprint.ts'
import { groupEvent } from './group-event.ts'

const hash = (event: StoredEvent) => groupEvent(event).hash
const valuesOf = (event: StoredEvent) => explainGrouping(event)?.parts.map(({ value }) => value)

describe('a fingerprint set by the app', () => {
  const event: StoredEvent = {
    ...makeError('CardError', 'card 12 refused', [
      makeFrame({ package: 'shop' }),
      makeFrame({ in_app: false, function: 'emit', module: 'events' }),
    ]),
    transaction: 'POST /checkout',
    release: 'shop@1.2.3',
    environment: 'production',
    logger: 'payments',
    tags: { tenant: 'acme' },
  }

  it('replaces the grouping of Hydrant', () => {
    expect(valuesOf({ ...event, fingerprint: ['checkout'] })).toEqual(['checkout'])
    expect(hash({ ...event, fingerprint: ['checkout'] })).toBe(
      hash({ ...makeError('X', 'y'), fingerprint: ['checkout'] }),
    )
    expect(hash({ ...event, fingerprint: ['a', 'bc'] })).not.toBe(hash({ ...event, fingerprint: ['ab', 'c'] }))
  })

  it('is ignored when it is empty or only the default', () => {
    for (const fingerprint of [[], ['{{ default }}'], ['{{default}}']])
      expect(hash({ ...event, fingerprint })).toBe(hash(event))
  })

  it('adds to the default in a recorded event', () => {
    const recorded = readEvent('node-handled-cause/002')
    const { fingerprint: _, ...plain } = recorded
    expect(explainGrouping(recorded)?.strategy).toBe('sdk_fingerprint_and_own')
    expect(valuesOf(recorded)).toEqual([...(valuesOf(plain) ?? []), 'checkout'])
    expect(hash(recorded)).not.toBe(hash(plain))
  })

  it.each([
    ['{{ error.type }}', 'CardError'],
    ['{{ type }}', 'CardError'],
    ['{{ error.value }}', 'card 12 refused'],
    ['{{ message }}', 'card 12 refused'],
    ['{{ function }}', 'pay'],
    ['{{ stack.function }}', 'pay'],
    ['{{ module }}', 'cart'],
    ['{{ package }}', 'shop'],
    ['{{ stack.abs_path }}', '/srv/app/cart.js'],
    ['{{ level }}', 'error'],
    ['{{ logger }}', 'payments'],
    ['{{ transaction }}', 'POST /checkout'],
    ['{{ release }}', 'shop@1.2.3'],
    ['{{ environment }}', 'production'],
    ['{{ tags.tenant }}', 'acme'],
    ['{{tags.tenant}} in {{ transaction }}', 'acme in POST /checkout'],
    ['{{ tags.missing }}', '<no tags.missing>'],
    ['{{ tags.constructor }}', '<no tags.constructor>'],
    ['{{ nonsense }}', '{{ nonsense }}'],
  ])('replaces the variable in %s', (part, value) => {
    expect(valuesOf({ ...event, fingerprint: [part] })).toEqual([value])
  })
})

it('the hash of a linked group depends on project and group, and never changes', () => {
  const hash = 'a'.repeat(32)
  expect(linkedGroupHash(7, hash)).toBe('66f398b9f4ae3af42ebe840fbfa7ff67')
  expect(
    new Set([linkedGroupHash(7, hash), linkedGroupHash(8, hash), linkedGroupHash(7, 'b'.repeat(32)), hash]).size,
  ).toBe(4)
})
