import { textOf } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { findSkew, type SkewKind } from '#react/deploy-skew.ts'
import { guessCause } from '#react/hydration/guess-cause.ts'
import type { Fingerprint, IgnoredParts, Part } from '../fingerprint.ts'
import { chainParts, distinctErrors, routePart } from './exception-parts.ts'
import { lastTwo } from './frame-part.ts'
import { messageOf } from './message.ts'
import { parametrize } from './parametrize.ts'
import { bareFrames, isOwnFrame, readStack } from './read-stack.ts'
import type { Rules } from './rules.ts'

export const rulesV1: Rules = {
  parametrize,
  shortenPath: lastTwo,
  distinctErrors,
  countsMessageOfLongLine: false,
  separatesHydrationByRoute: false,
}

/** The fingerprint set by the app, else Hydrant's own. */
export function fingerprintV1(event: StoredEvent, ignored: IgnoredParts): Fingerprint {
  const wanted = sdkParts(event)
  if (wanted === null) return ownFingerprint(event, ignored, rulesV1)
  const own = wanted.includes('default') ? ownFingerprint(event, ignored, rulesV1) : null
  if (own === null)
    ignored?.push({ what: 'error, stack and message', why: 'replaced by the fingerprint set by the app' })
  return {
    strategy: own === null ? 'sdk_fingerprint' : 'sdk_fingerprint_and_own',
    parts: wanted.flatMap(part => (part === 'default' ? (own?.parts ?? []) : [part])),
  }
}

/** Hydrant's own grouping: the chain of errors, else the message, else a stack without an error. */
export function ownFingerprint(event: StoredEvent, ignored: IgnoredParts, rules: Rules): Fingerprint {
  if (isReportedMessage(event)) {
    ignored?.push({ what: 'stack', why: 'attached by the SDK, it only shows where the message was captured' })
    return { strategy: 'message', parts: messageParts(event, rules) }
  }
  const known = reactFingerprint(event, ignored, rules)
  if (known !== null) return known
  const parts = chainParts(event, ignored, rules)
  if (parts.length > 0) return { strategy: hasFrame(parts) ? 'stack' : 'error_and_message', parts }
  const message = messageParts(event, rules)
  if (message.length > 0) {
    if (bareFrames(event).length > 0) ignored?.push({ what: 'stack', why: 'it belongs to no error' })
    return { strategy: 'message', parts: message }
  }
  const { frames } = readStack(bareFrames(event), ignored, rules)
  if (frames.length > 0) return { strategy: 'stack', parts: frames }
  return { strategy: 'nothing', parts: [{ kind: 'nothing', value: 'neither error nor message' }] }
}

/** `captureMessage` of SDK 11 sends its text as an error without a type. It still groups as a message. */
export function isReportedMessage(event: StoredEvent): boolean {
  const values = event.exception?.values
  if (values?.length !== 1 || values[0]?.mechanism?.synthetic !== true) return false
  return messageOf(event) !== '' || (values[0].type === undefined && values[0].value !== undefined)
}

function messageParts(event: StoredEvent, { parametrize }: Rules): Part[] {
  const text = messageOf(event) || (event.exception?.values.at(-1)?.value ?? '')
  return text === '' ? [] : [{ kind: 'message', value: parametrize(text) }]
}

const hasFrame = (parts: Part[]): boolean => parts.some(({ kind }) => kind === 'frame')

/** Deploy skew and hydration errors, which neither stack nor message would group right; null for anything else. */
function reactFingerprint(event: StoredEvent, ignored: IgnoredParts, rules: Rules): Fingerprint | null {
  return skewFingerprint(event, ignored) ?? hydrationFingerprint(event, ignored, rules)
}

/** These texts are hashed: changing one would split every existing issue of its kind. */
const hashedSkewText: Record<SkewKind, string> = {
  chunk: 'a part of the app could not be loaded',
  stylesheet: 'a stylesheet of the app could not be loaded',
  action: 'a server action is not known to the server',
  build: 'browser and server are of different builds',
}

/** One deploy breaks every open tab of the previous release, each at another chunk. They only share the release. */
function skewFingerprint(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  const skew = findSkew(event)
  if (skew === null || event.release === undefined || event.release === '') return null
  ignored?.push({ what: 'file name, stack and route', why: 'a deploy removes many files at once' })
  return {
    strategy: 'deploy_skew',
    parts: [
      { kind: 'failure', value: hashedSkewText[skew] },
      { kind: 'release', value: event.release },
    ],
  }
}

/** Null without a likely cause: then React's message decides, with and without the hydration helper. */
function hydrationFingerprint(event: StoredEvent, ignored: IgnoredParts, rules: Rules): Fingerprint | null {
  const guess = guessCause(event)?.guess
  if (guess === null || guess === undefined) return null
  const [failure] = chainParts(event, null, rules).filter(({ kind }) => kind === 'failure')
  if (failure === undefined) return null
  ignored?.push({ what: 'stack', why: 'it only contains React frames' })
  return {
    strategy: 'hydration_cause',
    parts: [failure, { kind: 'cause', value: guess.hashedName }, ...routePart(event)],
  }
}

type Read = (event: StoredEvent) => unknown

const errorOf = (event: StoredEvent) => event.exception?.values.at(-1)

/** The in-app frame nearest to the throw. */
function frameOf(event: StoredEvent): Frame | undefined {
  const frames = errorOf(event)?.stacktrace?.frames ?? []
  return frames.findLast(isOwnFrame) ?? frames.at(-1)
}

const readers = new Map<string, Read>([
  ['error.type', event => errorOf(event)?.type],
  ['type', event => errorOf(event)?.type],
  ['error.value', event => errorOf(event)?.value],
  ['value', event => errorOf(event)?.value],
  ['message', event => messageOf(event) || errorOf(event)?.value],
  ['function', event => frameOf(event)?.function],
  ['stack.function', event => frameOf(event)?.function],
  ['module', event => frameOf(event)?.module],
  ['stack.module', event => frameOf(event)?.module],
  ['package', event => frameOf(event)?.package],
  ['stack.package', event => frameOf(event)?.package],
  ['path', event => frameOf(event)?.abs_path ?? frameOf(event)?.filename],
  ['stack.abs_path', event => frameOf(event)?.abs_path ?? frameOf(event)?.filename],
  ['level', event => event.level],
  ['logger', event => event.logger],
  ['platform', event => event.platform],
  ['transaction', event => event.transaction],
  ['release', event => event.release],
  ['dist', event => event.dist],
  ['environment', event => event.environment],
  ['sdk', event => event.sdk?.name],
])

/** '' if the event has no value, undefined for an unknown variable. */
function fingerprintVariable(name: string, event: StoredEvent): string | undefined {
  if (name.startsWith('tags.')) {
    const key = name.slice('tags.'.length)
    return Object.hasOwn(event.tags, key) ? textOf(event.tags[key]) : ''
  }
  const read = readers.get(name)
  return read === undefined ? undefined : textOf(read(event))
}

const variable = /\{\{\s*([^\s{}]+)\s*\}\}/g
const isDefault = /^\{\{\s*default\s*\}\}$/

/** The app's fingerprint, with `default` for Hydrant's own parts. Null if the app sets nothing beyond the default. */
export function sdkParts(event: StoredEvent): (Part | 'default')[] | null {
  const wanted = event.fingerprint
  if (wanted === undefined || wanted.length === 0) return null
  if (wanted.every(part => isDefault.test(part))) return null
  return wanted.map(part => (isDefault.test(part) ? 'default' : { kind: 'fingerprint', value: fill(part, event) }))
}

/** An unknown variable stays as it is. */
function fill(part: string, event: StoredEvent): string {
  if (!part.includes('{{')) return part
  return part.replace(variable, (all, name: string) => {
    const value = fingerprintVariable(name, event)
    return value === '' ? `<no ${name}>` : (value ?? all)
  })
}
