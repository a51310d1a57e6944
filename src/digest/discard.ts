import type { OutcomeKind } from '#lib/outcome.ts'
import { itemRule } from '#protocol/item-types.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import type { RecordContext } from './record-context.ts'

/** Why an item that was accepted at the door is not kept. The words are shown to users. */
export type DiscardReason =
  | 'invalid_json'
  | 'invalid_payload'
  | 'empty'
  | 'too_large'
  | 'missing_slug'
  | 'unsupported_item'
  | 'unknown_item'
  | 'internal_error'

/** More than one envelope or report can hold. */
const maxQuantity = 1_000_000

/** Counts the item, or `quantity` entries of it, as not kept. */
export function discard(context: RecordContext, item: EnvelopeItem, reason: DiscardReason, quantity?: number): void {
  count(context, itemRule(item.headers.type).category, 'invalid', reason, quantity ?? item.headers.item_count ?? 1)
}

export function count(
  context: RecordContext,
  category: string,
  kind: OutcomeKind,
  reason: string,
  quantity: number,
  at = context.receivedAt,
): void {
  // Zero would be an outcome that nobody can see, and a header may claim any number.
  const bounded = Math.min(Math.max(1, quantity), maxQuantity)
  context.out.outcomes.push({ projectId: context.projectId, category, kind, reason, quantity: bounded, at })
}
