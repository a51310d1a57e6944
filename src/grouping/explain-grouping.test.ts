import { describe, expect, it } from 'vitest'
import { makeEvent } from '../../test/make-event.ts'
import { listCaptures, listScenarios } from '../../test/read-capture.ts'
import { findEvent, readEvent } from '../../test/read-event.ts'
import { readBrowserEvent } from '../../test/read-grouping.ts'
import { explainGrouping } from './explain-grouping.ts'
import { groupEvent } from './group-event.ts'

describe('the explanation of a grouping', () => {
  it('names the frames of a readable stack', () => {
    expect(explainGrouping(readEvent('node-unhandled/002'))).toEqual({
      version: 3,
      hash: groupEvent(readEvent('node-unhandled/002')).hash,
      strategy: 'stack',
      summary: 'Errors of the same type with the same in-app frames are one issue.',
      parts: [
        { kind: 'type', label: 'Error type', value: 'TypeError' },
        {
          kind: 'frame',
          label: 'In-app frame',
          value:
            '_onTimeout in run: async unhandled() { setTimeout(() => { null.foo(); }, 10); await new Promise(r => setTimeout(r, 3000)); },',
        },
      ],
      ignored: [
        { what: '2 frames', why: 'library or runtime code' },
        { what: 'message “property foo of null”', why: 'the stack identifies the bug' },
      ],
    })
  })

  it('lists what was ignored in minified code', () => {
    const explanation = explainGrouping(readBrowserEvent('cart-safari'))
    expect(explanation?.parts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      'Error type: TypeError',
      'Known failure, in any browser’s wording: property price of undefined',
      'Route: /cart',
    ])
    expect(explanation?.ignored).toEqual([
      { what: '2 frames', why: 'engine, eval or compiler helpers, which change with versions' },
      { what: '4 frames', why: 'minified: names, files and lines change with every build' },
    ])
  })

  it('gives the stored hash for every recorded event', () => {
    let events = 0
    for (const capture of listScenarios().flatMap(listCaptures)) {
      const event = findEvent(capture)
      if (event === null) continue
      events++
      expect(explainGrouping(event)?.hash).toBe(groupEvent(event).hash)
    }
    expect(events).toBeGreaterThan(25)
  })

  it('is null for an unknown version', () => {
    expect(explainGrouping(makeEvent(), 99)).toBeNull()
  })
})
