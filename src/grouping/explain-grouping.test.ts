import { describe, expect, it } from 'vitest'
import { makeEvent } from '../../test/make-event.ts'
import { listCaptures, listScenarios } from '../../test/read-capture.ts'
import { findEvent, readEvent } from '../../test/read-event.ts'
import { readBrowserEvent } from '../../test/read-grouping.ts'
import { explainGrouping } from './explain-grouping.ts'
import { groupEvent } from './group-event.ts'

describe('why an event is in its issue', () => {
  it('is told in plain words for a stack that can be read', () => {
    expect(explainGrouping(readEvent('node-unhandled/002'))).toEqual({
      version: 1,
      hash: groupEvent(readEvent('node-unhandled/002')).hash,
      strategy: 'stack',
      summary: 'Errors of the same type that come the same way through the app’s own code are one issue.',
      parts: [
        { kind: 'type', label: 'Type of the error', value: 'TypeError' },
        {
          kind: 'frame',
          label: 'Place in the code',
          value:
            '_onTimeout in run: async unhandled() { setTimeout(() => { null.foo(); }, 10); await new Promise(r => setTimeout(r, 3000)); },',
        },
      ],
      ignored: [
        { what: '2 frames', why: 'code of libraries or of the runtime' },
        { what: 'message “property foo of null”', why: 'the stack tells the place' },
      ],
    })
  })

  it('is told for minified code, with what did not count', () => {
    const told = explainGrouping(readBrowserEvent('cart-safari'))
    expect(told?.parts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      'Type of the error: TypeError',
      'What went wrong, whichever browser says it: property price of undefined',
      'Route: /cart',
    ])
    expect(told?.ignored).toEqual([
      { what: '2 frames', why: 'engine, eval or compiler helpers: they come and go with versions' },
      { what: '4 frames', why: 'minified: names, files and lines change with every build' },
    ])
  })

  it('is the truth: the parts of every recorded event give the hash that the event was stored with', () => {
    let events = 0
    for (const capture of listScenarios().flatMap(listCaptures)) {
      const event = findEvent(capture)
      if (event === null) continue
      events++
      expect(explainGrouping(event)?.hash).toBe(groupEvent(event).hash)
    }
    expect(events).toBeGreaterThan(25)
  })

  it('is not made up for a version that is gone', () => {
    expect(explainGrouping(makeEvent(), 99)).toBeNull()
  })
})
