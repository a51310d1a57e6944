/**
 * Version 3 decides about all other events: other values in messages, errors in nested groups, scripts directly below an origin, lines that
 * are too long, hydration errors by route, thrown responses, stacks that were sent beside their error, bundled libraries, and checksums.
 */

import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { findNewSkew, findSkew } from '#react/deploy-skew.ts'
import { failedStatus } from '#react/frameworks/thrown-response.ts'
import { routeOf } from '#react/route.ts'
import { isServerError } from '#react/server-error.ts'
import type { Fingerprint, IgnoredParts, Part } from '../fingerprint.ts'
import { markLibraries } from '../mark-libraries.ts'
import { routePart } from '../v1/exception-parts.ts'
import { isReportedMessage, ownFingerprint, sdkParts } from '../v1/fingerprint-v1.ts'
import { lastTwo } from '../v1/frame-part.ts'
import type { Rules } from '../v1/rules.ts'
import { skewParts, skewVersion, specialFingerprint } from '../v2/fingerprint-v2.ts'
import { distinctErrors } from './nested-groups.ts'
import { parametrize } from './parametrize.ts'

const origin = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^/]{0,255}(?=\/)/i

const rulesV3: Rules = {
  parametrize,
  // Production and preview are different hosts.
  shortenPath: path => lastTwo(path.replace(origin, '')),
  distinctErrors,
  countsMessageOfLongLine: true,
  separatesHydrationByRoute: true,
}

/** Null for a fingerprint of the app alone and for deploy skew, which the older versions group in the same way. */
export function fingerprintV3(sent: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  const event = markLibraries(sent)
  const checksum = textOf(event.checksum)
  if (checksum !== '') {
    ignored?.push({ what: 'error, stack and message', why: 'replaced by the checksum set by the app' })
    return { strategy: 'sdk_fingerprint', parts: [{ kind: 'fingerprint', value: checksum }] }
  }
  const wanted = sdkParts(event)
  if (wanted !== null && !wanted.includes('default')) return null
  if (findSkew(event) !== null && !isReportedMessage(event)) return null
  const own =
    newSkew(event, ignored) ??
    thrownResponse(event, ignored) ??
    redactedError(event, ignored) ??
    specialFingerprint(event, ignored, rulesV3) ??
    ownFingerprint(event, ignored, rulesV3)
  if (wanted === null || own.groupOf !== undefined) return own
  return {
    strategy: 'sdk_fingerprint_and_own',
    parts: wanted.flatMap(part => (part === 'default' ? own.parts : [part])),
  }
}

/** Deploy skew that older versions do not know belongs to the issue that version 2 has made of the rest. */
function newSkew(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  if (findNewSkew(event) === null || isReportedMessage(event)) return null
  ignored?.push({ what: 'type, message, stack and route', why: 'a deploy removes many files at once' })
  return { strategy: 'deploy_skew', parts: skewParts(event.release ?? ''), groupOf: skewVersion }
}

/** Its message lists the keys of the object, which are the same for every status and route, and its stack is the router's. */
function thrownResponse(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  const status = failedStatus(event)
  if (status === null) return null
  ignored?.push({ what: 'message and stack', why: 'those of a thrown response are the same everywhere' })
  return {
    strategy: 'thrown_response',
    parts: [
      { kind: 'failure', value: `a thrown response with status ${status}` },
      { kind: 'route', value: routeOf(event.transaction ?? '') },
    ],
  }
}

/**
 * One failure may be reported by the router and, in other words, by React. Neither stack has anything of the app, and the server's error
 * decides if it was sent.
 */
function redactedError(event: StoredEvent, ignored: IgnoredParts): Fingerprint | null {
  if (!isServerError(event)) return null
  ignored?.push({ what: 'type, message and stack', why: 'they only say that the details stay on the server' })
  const parts: Part[] = [{ kind: 'failure', value: 'an error whose details stay on the server' }, ...routePart(event)]
  return { strategy: 'redacted', parts }
}
