import { expect, test } from 'vitest'
import { allAborted, readSignal, whileRequestLasts, withReadSignal, withRequest } from './read-signal.ts'

test('a shared read ends when its last waiter leaves, and never if one has no signal', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const all = allAborted([first.signal, second.signal, first.signal])
  first.abort(new Error('first'))
  expect(all?.aborted).toBe(false)
  second.abort(new Error('second'))
  expect(all?.aborted).toBe(true)
  expect(allAborted([first.signal, second.signal])?.aborted).toBe(true)
  expect(allAborted([first.signal, undefined])).toBeUndefined()
  expect(allAborted([])).toBeUndefined()
})

test('reads of a page end with its request; a form continues, except for its read-only part', async () => {
  const request = { gone: new AbortController().signal, isTooBusy: false }
  const later = async () => {
    await new Promise(resolve => setImmediate(resolve))
    return readSignal()
  }
  expect(await withRequest(request, true, later)).toBe(request.gone)
  expect(await withRequest(request, false, later)).toBeUndefined()
  expect(await withRequest(request, false, () => whileRequestLasts(later))).toBe(request.gone)
  expect(await withRequest(request, true, () => withReadSignal(undefined, later))).toBeUndefined()
  expect(readSignal()).toBeUndefined()
})
