/** A body that did not come to its end, and what is said about it. */
import type { ScannedItem } from '#protocol/scan-result.ts'
import type { Admission } from './admit.ts'
import { type Exchange, refuse } from './exchange.ts'
import type { BodyFault } from './read-body.ts'
import { type Refusal, refusals } from './refusal.ts'

const refusalOf: Record<BodyFault, Refusal> = {
  too_large: refusals.bodyTooLarge,
  unknown_encoding: refusals.unknownEncoding,
  bad_encoding: refusals.badEncoding,
  timed_out: refusals.timedOut,
  aborted: refusals.aborted,
  stopped: refusals.notStored,
}

/** `refusal` is the taker's own reason to stop. After an abort nobody listens: it is counted where a known sender lost something. */
export function giveUp(
  exchange: Exchange,
  fault: BodyFault,
  refusal: Refusal | null,
  admission: Admission,
  items: ScannedItem[],
): void {
  if (fault === 'aborted' && !admission.ok) return
  refuse(exchange, refusal ?? refusalOf[fault], items)
}
