export const arrivalWays = [
  { key: 'prefetched', label: 'Prefetched', look: 'm-pre', says: 'The page was there when they clicked' },
  { key: 'cached', label: 'Router cache', look: 'm-cache', says: 'Back or forward to what the router still had' },
  { key: 'cold', label: 'Cold', look: 'm-cold', says: 'Fetched at the click: nothing, or only a shell, was there' },
  { key: 'stale', label: 'Stale deploy', look: 'm-stale', says: 'The build changed under them, and loading failed' },
] as const

export type ArrivalCounts = Record<(typeof arrivalWays)[number]['key'], number>

/** How visitors came to a route by clicks, as shares of one bar. */
export function ArrivalMix({ arrivals, isWide = false }: { arrivals: ArrivalCounts; isWide?: boolean }) {
  const total = arrivalWays.reduce((sum, { key }) => sum + arrivals[key], 0)
  if (total === 0) return <span className="t3">not navigated to</span>
  const shares = arrivalWays
    .map(way => ({ ...way, share: (arrivals[way.key] / total) * 100 }))
    .filter(({ share }) => share > 0)
  const words = shares.map(({ label, share }) => `${label.toLowerCase()} ${Math.round(share)} %`).join(', ')
  return (
    <span className={isWide ? 'mix wide' : 'mix'} role="img" aria-label={words} title={words}>
      {shares.map(({ key, look, share }) => (
        <i key={key} className={look} style={{ width: `${share}%` }} />
      ))}
    </span>
  )
}
