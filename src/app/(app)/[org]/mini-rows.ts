import type { SpanPosition } from '#domain/traces/find-span-position.ts'
import type { MiniRow } from '#ui/trace/mini-waterfall.tsx'

type Around = { path: string; spanId: string; failedSpanIds: string[] }

/** A span of a trace as the short waterfall draws it. */
export function toMiniRow(
  { node, depth }: SpanPosition['rows'][number],
  { path, spanId, failedSpanIds }: Around,
): MiniRow {
  return {
    id: node.id,
    href: `${path}#span-${node.id}`,
    depth,
    side: node.span?.side ?? '',
    op: node.span?.op ?? '',
    name: node.name || `span ${node.id}`,
    startUs: node.startUs,
    durationUs: node.durationUs,
    isBad: failedSpanIds.includes(node.id) || (node.span?.isFailed ?? false),
    isHere: node.id === spanId,
  }
}
