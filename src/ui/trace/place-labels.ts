/** Of the width that one label takes, on a phone too. */
const labelShare = 0.18

export type Label = { atShare: number }
/** Labels that stand together, and at which share of the width they begin or, near the right edge, end. */
export type LabelGroup<Item extends Label> = { items: Item[]; side: 'begin' | 'end'; atShare: number }

/** Labels at their moments (0 to 1), in their order. Those that would hide each other stand side by side. */
export function placeLabels<Item extends Label>(labels: readonly Item[]): LabelGroup<Item>[] {
  const groups: Item[][] = []
  for (const label of labels.toSorted((a, b) => a.atShare - b.atShare)) {
    let group = [label]
    for (let before = groups.at(-1); before && reachOf(before).to > reachOf(group).from; before = groups.at(-1)) {
      groups.pop()
      group = [...before, ...group]
    }
    groups.push(group)
  }
  return groups.map(items => {
    const { from, to, side } = reachOf(items)
    return { items, side, atShare: side === 'begin' ? from : to }
  })
}

function reachOf(items: readonly Label[]): { from: number; to: number; side: 'begin' | 'end' } {
  const [first, last] = [items[0]?.atShare ?? 0, items.at(-1)?.atShare ?? 0]
  const width = labelShare * items.length
  return first + width <= 1
    ? { from: first, to: first + width, side: 'begin' }
    : { from: last - width, to: last, side: 'end' }
}
