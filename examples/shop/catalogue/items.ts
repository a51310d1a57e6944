export type Item = { id: string; name: string; priceCents: number; note: string }

const items: Item[] = [
  { id: 'can', name: 'Copper watering can', priceCents: 4800, note: 'Two litres, long spout, ages well.' },
  { id: 'pot', name: 'Terracotta pot', priceCents: 1250, note: 'Unglazed, with a saucer.' },
  { id: 'trowel', name: 'Hand trowel', priceCents: 1900, note: 'Forged steel and ash.' },
  { id: 'hose', name: 'Garden hose', priceCents: 3600, note: 'Twenty metres that do not kink.' },
]

export function listItems(): Item[] {
  return items
}

export function findItem(id: string): Item | null {
  return items.find(item => item.id === id) ?? null
}
