import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'

/** A small stored event, for cases without a recording. */
export function makeEvent(fields: Partial<StoredEvent> = {}): StoredEvent {
  return {
    event_id: 'a'.repeat(32),
    timestamp: 0,
    level: 'error',
    platform: 'node',
    tags: {},
    contexts: {},
    ...fields,
  }
}

/** An error that was thrown in these frames. */
export function makeError(type: string, value: string, frames: Frame[] = [], fields: ExceptionValue = {}): StoredEvent {
  return makeEvent({ exception: { values: [{ type, value, stacktrace: { frames }, ...fields }] } })
}

/** A frame of the app's own code as Node's SDK sends it. */
export function makeFrame(fields: Frame = {}): Frame {
  return { in_app: true, filename: '/srv/app/cart.js', module: 'cart', function: 'pay', ...fields }
}
