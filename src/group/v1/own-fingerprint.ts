/** What Hydrant finds by itself: the chain of errors, else a stack without an error, else the message. */
import type { StoredEvent } from '#protocol/event.ts'
import type { Fingerprint, IgnoredNotes, Part } from '../fingerprint.ts'
import { bareFrames } from './bare-frames.ts'
import { chainParts } from './chain-parts.ts'
import { lensFingerprint } from './lens-fingerprint.ts'
import { messageOf } from './message-of.ts'
import { parametrise } from './parametrise.ts'
import { readStack } from './read-stack.ts'

export function ownFingerprint(event: StoredEvent, ignored: IgnoredNotes): Fingerprint {
  if (isReportedMessage(event)) {
    ignored?.push({ what: 'stack', why: 'the SDK attached it: it shows where the message was reported' })
    return { strategy: 'message', parts: messageParts(event) }
  }
  const known = lensFingerprint(event, ignored)
  if (known !== null) return known
  const parts = chainParts(event, ignored)
  if (parts.length > 0) return { strategy: hasFrame(parts) ? 'stack' : 'error_and_message', parts }
  const message = messageParts(event)
  if (message.length > 0) {
    if (bareFrames(event).length > 0) ignored?.push({ what: 'stack', why: 'it belongs to no error' })
    return { strategy: 'message', parts: message }
  }
  const { frames } = readStack(bareFrames(event), ignored)
  if (frames.length > 0) return { strategy: 'stack', parts: frames }
  return { strategy: 'nothing', parts: [{ kind: 'nothing', value: 'neither error nor message' }] }
}

/** `captureMessage` of SDK 11 sends its text as an error without a type. It groups as it did when it was a message alone. */
export function isReportedMessage(event: StoredEvent): boolean {
  const values = event.exception?.values
  if (values?.length !== 1 || values[0]?.mechanism?.synthetic !== true) return false
  return messageOf(event) !== '' || (values[0].type === undefined && values[0].value !== undefined)
}

function messageParts(event: StoredEvent): Part[] {
  const text = messageOf(event) || (event.exception?.values.at(-1)?.value ?? '')
  return text === '' ? [] : [{ kind: 'message', value: parametrise(text) }]
}

const hasFrame = (parts: Part[]): boolean => parts.some(({ kind }) => kind === 'frame')
