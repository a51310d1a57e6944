import { itemRule } from '#protocol/item-types.ts'
import type { ScannedItem } from '#protocol/scan-result.ts'

/** How much of each rate-limit category an envelope holds; a container counts what it says it holds. */
export function countByCategory(items: ScannedItem[]): Map<string, number> {
  const quantities = new Map<string, number>()
  for (const item of items) {
    const { category } = itemRule(item.type)
    quantities.set(category, (quantities.get(category) ?? 0) + quantityOf(item))
  }
  return quantities
}

/** The figure is the sender's word for it: bounded, so that one header cannot forge a million losses. */
const maxClaimedCount = 100_000

function quantityOf({ isContainer, itemCount }: ScannedItem): number {
  return isContainer && itemCount !== null ? Math.min(Math.max(itemCount, 1), maxClaimedCount) : 1
}
