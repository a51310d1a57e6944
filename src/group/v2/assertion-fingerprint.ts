import type { Frame, StoredEvent } from '#protocol/event.ts'
import type { Fingerprint, Ignored, IgnoredNotes } from '../fingerprint.ts'
import { fileOf } from '../v1/file-of.ts'
import { functionOf } from '../v1/function-of.ts'
import { isPlumbing } from '../v1/is-plumbing.ts'
import { ownFingerprint } from '../v1/own-fingerprint.ts'
import { readMessage } from '../v1/read-message.ts'

const helpers = new Set(['assert', 'invariant', 'tinyInvariant'])
/** With a source map the function's name may still be the minifier's: then the file tells. */
const helperFile = /(?:^|[/\\])(?:tiny-)?invariant(?:\.(?:esm|cjs|production|development))?(?:\.min)?\.[cm]?[jt]sx?$/
/** Frames looked at, from the throw outwards, to find one that is not the engine's own. */
const maxSkipped = 5

/**
 * An assertion helper throws for whoever calls it, and one line may call it with several messages: `invariant(ok, problem)`. The stack
 * cannot tell those apart, the message can. Null where something else threw, or where the message counts already.
 */
export function assertionFingerprint(event: StoredEvent, ignored: IgnoredNotes): Fingerprint | null {
  const error = event.exception?.values.at(-1)
  const thrower = error && findThrower(error.stacktrace?.frames ?? [])
  if (!error?.value || thrower === undefined || !isHelper(thrower)) return null
  const notes: Ignored[] = []
  const own = ownFingerprint(event, ignored === null ? null : notes)
  if (own.strategy !== 'stack') return null
  const message = readMessage(error).text()
  ignored?.push(...notes.filter(({ what }) => what !== `message “${message}”`))
  return { strategy: 'assertion', parts: [...own.parts, { kind: 'message', value: message }] }
}

function findThrower(frames: readonly Frame[]): Frame | undefined {
  return frames.slice(-maxSkipped).findLast(frame => !isPlumbing(frame, functionOf(frame)))
}

const isHelper = (frame: Frame): boolean => helpers.has(functionOf(frame)) || helperFile.test(fileOf(frame))
