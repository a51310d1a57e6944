import type { ExceptionValue } from '#protocol/event.ts'
import { findFailure } from './find-failure.ts'
import { parametrise } from './parametrise.ts'

export type Said = {
  /** One name for what engines name differently: Firefox calls a RangeError InternalError. */
  type: string
  /** Made when it is asked for: an error that its stack places needs none. */
  text: () => string
  /** Whether an engine or framework said it in words of its own. */
  isFailure: boolean
  isRecursion: boolean
  /**
   * What the text tells. A `bug`: somebody wrote it for this case. A `kind` of bug: it happens in many places. `all` there is to
   * know: it is the same problem wherever it happens.
   */
  tells: 'bug' | 'kind' | 'all'
}

export function readMessage({ type = '', value = '' }: ExceptionValue): Said {
  const found = findFailure(type, value)
  if (found === null) {
    const text = () => parametrise(value)
    return { type, text, isFailure: false, isRecursion: false, tells: value === '' ? 'kind' : 'bug' }
  }
  const { failure: known, text } = found
  return {
    type: known.type ?? type,
    text,
    isFailure: true,
    isRecursion: known.isRecursion === true,
    tells: known.tells,
  }
}
