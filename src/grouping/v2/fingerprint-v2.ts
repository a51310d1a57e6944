/**
 * Version 2 differs in three cases: deploy skew is one issue per release, errors of assertion helpers are separated by message, and
 * installed Python packages are never in-app. For all other events it is null, so they keep the hashes of version 1.
 */

import { isInstalled } from '#lib/is-in-app.ts'
import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'
import { findSkew } from '#react/deploy-skew.ts'
import type { Fingerprint, Ignored, IgnoredParts, Part } from '../fingerprint.ts'
import { fileOf } from '../v1/file-traits.ts'
import { isReportedMessage, ownFingerprint, rulesV1, sdkParts } from '../v1/fingerprint-v1.ts'
import { functionOf } from '../v1/frame-part.ts'
import { readMessage } from '../v1/message.ts'
import { isRuntimeHelper } from '../v1/read-stack.ts'
import type { Rules } from '../v1/rules.ts'

export function fingerprintV2(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  const wanted = sdkParts(event)
  if (wanted !== null && !wanted.includes('default')) return null
  const own = specialFingerprint(event, ignored, rulesV1)
  if (own === null || wanted === null) return own
  return {
    strategy: 'sdk_fingerprint_and_own',
    parts: wanted.flatMap(part => (part === 'default' ? own.parts : [part])),
  }
}

/** Null for all events but those of the three cases. */
export function specialFingerprint(event: StoredEvent, ignored: IgnoredParts, rules: Rules): Fingerprint | null {
  const clean = withoutPackages(event)
  return (
    skewFingerprint(event, ignored) ??
    assertionFingerprint(clean ?? event, ignored, rules) ??
    (clean && ownFingerprint(clean, ignored, rules))
  )
}

const helpers = new Set(['assert', 'invariant', 'tinyInvariant'])
/** A mapped frame may still have a minified function name: then the file identifies the helper. */
const helperFile = /(?:^|[/\\])(?:tiny-)?invariant(?:\.(?:esm|cjs|production|development))?(?:\.min)?\.[cm]?[jt]sx?$/
/** Frames searched, starting at the throw, for one that is not an engine helper. */
const maxSkipped = 5

/**
 * One line may call an assertion helper with several messages: `invariant(ok, problem)`. The stack cannot separate them, so the
 * message is hashed too. Null if something else threw, or if the message already counts.
 */
function assertionFingerprint(event: StoredEvent, ignored: IgnoredParts, rules: Rules): Fingerprint | null {
  const error = event.exception?.values.at(-1)
  const thrower = error && findThrower(error.stacktrace?.frames ?? [])
  if (!error?.value || thrower === undefined || !isHelper(thrower)) return null
  const ownIgnored: Ignored[] = []
  const own = ownFingerprint(event, ignored === null ? null : ownIgnored, rules)
  if (own.strategy !== 'stack') return null
  const message = readMessage(error, rules).text()
  ignored?.push(...ownIgnored.filter(({ what }) => what !== `message “${message}”`))
  return { strategy: 'assertion', parts: [...own.parts, { kind: 'message', value: message }] }
}

function findThrower(frames: readonly Frame[]): Frame | undefined {
  return frames.slice(-maxSkipped).findLast(frame => !isRuntimeHelper(frame, functionOf(frame)))
}

const isHelper = (frame: Frame): boolean => helpers.has(functionOf(frame)) || helperFile.test(fileOf(frame))

/** One deploy breaks every open tab of the previous release, at chunks, stylesheets and server actions. They only share the release. */
function skewFingerprint(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  if (findSkew(event) === null || isReportedMessage(event)) return null
  ignored?.push({ what: 'type, message, stack and route', why: 'a deploy removes many files at once' })
  return { strategy: 'deploy_skew', parts: skewParts(event.release ?? '') }
}

export const skewVersion = 2
export const skewParts = (release: string): Part[] => [
  { kind: 'failure', value: 'deploy skew' },
  ...(release === '' ? [] : [{ kind: 'release' as const, value: release }]),
]

/** The event with frames of installed packages marked as not in-app. Null if no frame has to be marked. */
function withoutPackages(event: StoredEvent): StoredEvent | null {
  const values = event.exception?.values
  if (event.platform !== 'python' || !values?.some(value => value.stacktrace?.frames.some(isWronglyInApp))) return null
  return { ...event, exception: { ...event.exception, values: values.map(markPackages) } }
}

const isWronglyInApp = (frame: Frame): boolean => frame.in_app !== false && isInstalled(frame)

const markPackages = (value: ExceptionValue): ExceptionValue =>
  value.stacktrace
    ? {
        ...value,
        stacktrace: {
          ...value.stacktrace,
          frames: value.stacktrace.frames.map(frame => (isWronglyInApp(frame) ? { ...frame, in_app: false } : frame)),
        },
      }
    : value
