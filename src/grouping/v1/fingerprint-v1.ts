import { textOf } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { findSkew, type SkewKind } from '#react/deploy-skew.ts'
import { guessCause } from '#react/hydration/guess-cause.ts'
import type { Fingerprint, IgnoredParts, Part } from '../fingerprint.ts'
import { chainParts, routePart } from './exception-parts.ts'
import { messageOf } from './message.ts'
import { parametrize } from './parametrize.ts'
import { bareFrames, isOwnFrame, readStack } from './read-stack.ts'

/** The app's own fingerprint first, then what we find. */
export function fingerprintV1(event: StoredEvent, ignored: IgnoredParts): Fingerprint {
  const wanted = sdkParts(event)
  if (wanted === null) return ownFingerprint(event, ignored)
  const own = wanted.includes('default') ? ownFingerprint(event, ignored) : null
  if (own === null) ignored?.push({ what: 'error, stack and message', why: 'the fingerprint of the app replaces them' })
  return {
    strategy: own === null ? 'sdk_fingerprint' : 'sdk_fingerprint_and_own',
    parts: wanted.flatMap(part => (part === 'default' ? (own?.parts ?? []) : [part])),
  }
}

/* What Hydrant finds by itself: the chain of errors, else a stack without an error, else the message. */

export function ownFingerprint(event: StoredEvent, ignored: IgnoredParts): Fingerprint {
  if (isReportedMessage(event)) {
    ignored?.push({ what: 'stack', why: 'the SDK attached it: it shows where the message was reported' })
    return { strategy: 'message', parts: messageParts(event) }
  }
  const known = reactFingerprint(event, ignored)
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
  return text === '' ? [] : [{ kind: 'message', value: parametrize(text) }]
}

const hasFrame = (parts: Part[]): boolean => parts.some(({ kind }) => kind === 'frame')

/* Failures of a server-rendered React app that are one problem for reasons that neither stack nor message tells. */

/** Null where the event is none of them, or where nothing more is known of it than its message says. */
function reactFingerprint(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  return skewFingerprint(event, ignored) ?? hydrationFingerprint(event, ignored)
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
  ignored?.push({ what: 'name of the part, stack and route', why: 'a deploy takes many parts away at once' })
  return {
    strategy: 'deploy_skew',
    parts: [
      { kind: 'failure', value: hashedSkewText[skew] },
      { kind: 'release', value: event.release },
    ],
  }
}

/** Without a cause it stays what React's words alone make of it, so that helper and no helper agree where nothing was found. */
function hydrationFingerprint(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  const guess = guessCause(event)?.guess
  if (guess === null || guess === undefined) return null
  const [failure] = chainParts(event, null).filter(({ kind }) => kind === 'failure')
  if (failure === undefined) return null
  ignored?.push({ what: 'stack', why: 'it leads through React alone' })
  return {
    strategy: 'hydration_cause',
    parts: [failure, { kind: 'cause', value: guess.hashedName }, ...routePart(event)],
  }
}

type Read = (event: StoredEvent) => unknown

const errorOf = (event: StoredEvent) => event.exception?.values.at(-1)

/** The app's frame nearest to the throw. */
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

/** '' where the event lacks it, undefined where there is no such variable. */
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

/** What the SDK asks for, where `default` stands for what we find ourselves; null where it asks for nothing else. */
export function sdkParts(event: StoredEvent): (Part | 'default')[] | null {
  const wanted = event.fingerprint
  if (wanted === undefined || wanted.length === 0) return null
  if (wanted.every(part => isDefault.test(part))) return null
  return wanted.map(part => (isDefault.test(part) ? 'default' : { kind: 'fingerprint', value: fill(part, event) }))
}

/** A variable that nobody knows stays as it is written. */
function fill(part: string, event: StoredEvent): string {
  if (!part.includes('{{')) return part
  return part.replace(variable, (all, name: string) => {
    const value = fingerprintVariable(name, event)
    return value === '' ? `<no ${name}>` : (value ?? all)
  })
}
