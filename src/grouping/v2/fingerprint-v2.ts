/**
 * Version 2 decides differently in three cases only: deploy skew is one issue per release whatever is gone, the message counts for
 * errors that an assertion helper throws, and installed packages of Python are not the app's code whatever its SDK says. For all other
 * events it is null, so their issues keep the hashes of version 1.
 */

import { isInstalled } from '#lib/is-in-app.ts'
import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'
import { findSkew } from '#react/deploy-skew.ts'
import type { Fingerprint, Ignored, IgnoredParts } from '../fingerprint.ts'
import { fileOf } from '../v1/file-traits.ts'
import { isReportedMessage, ownFingerprint, sdkParts } from '../v1/fingerprint-v1.ts'
import { functionOf } from '../v1/frame-part.ts'
import { readMessage } from '../v1/message.ts'
import { isRuntimeHelper } from '../v1/read-stack.ts'

export function fingerprintV2(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  const wanted = sdkParts(event)
  if (wanted !== null && !wanted.includes('default')) return null
  const clean = withoutPackages(event)
  const own =
    skewFingerprint(event, ignored) ??
    assertionFingerprint(clean ?? event, ignored) ??
    (clean && ownFingerprint(clean, ignored))
  if (own === null || wanted === null) return own
  return {
    strategy: 'sdk_fingerprint_and_own',
    parts: wanted.flatMap(part => (part === 'default' ? own.parts : [part])),
  }
}

const helpers = new Set(['assert', 'invariant', 'tinyInvariant'])
/** With a source map the function's name may still be the minifier's: then the file tells. */
const helperFile = /(?:^|[/\\])(?:tiny-)?invariant(?:\.(?:esm|cjs|production|development))?(?:\.min)?\.[cm]?[jt]sx?$/
/** Frames looked at, from the throw outwards, to find one that is not the engine's own. */
const maxSkipped = 5

/**
 * An assertion helper throws for whoever calls it, and one line may call it with several messages: `invariant(ok, problem)`. The stack
 * cannot tell those apart, the message can. Null where something else threw, or where the message counts already.
 */
function assertionFingerprint(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
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
  return frames.slice(-maxSkipped).findLast(frame => !isRuntimeHelper(frame, functionOf(frame)))
}

const isHelper = (frame: Frame): boolean => helpers.has(functionOf(frame)) || helperFile.test(fileOf(frame))

/** One deploy breaks every open tab of the release before it, at chunks, stylesheets and server actions: the release is what they share. */
function skewFingerprint(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  if (findSkew(event) === null || isReportedMessage(event)) return null
  ignored?.push({ what: 'type, message, stack and route', why: 'a deploy takes many parts away at once' })
  const { release = '' } = event
  return {
    strategy: 'deploy_skew',
    parts: [
      { kind: 'failure', value: 'deploy skew' },
      ...(release === '' ? [] : [{ kind: 'release' as const, value: release }]),
    ],
  }
}

/** An event whose frames of installed packages are marked as such; null where there is nothing to mark. */
function withoutPackages(event: StoredEvent): StoredEvent | null {
  const values = event.exception?.values
  if (event.platform !== 'python' || !values?.some(value => value.stacktrace?.frames.some(isMistaken))) return null
  return { ...event, exception: { ...event.exception, values: values.map(mark) } }
}

const isMistaken = (frame: Frame): boolean => frame.in_app !== false && isInstalled(frame)

const mark = (value: ExceptionValue): ExceptionValue =>
  value.stacktrace
    ? {
        ...value,
        stacktrace: {
          ...value.stacktrace,
          frames: value.stacktrace.frames.map(frame => (isMistaken(frame) ? { ...frame, in_app: false } : frame)),
        },
      }
    : value
