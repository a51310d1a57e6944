const shortLabels: Record<string, string> = {
  filtered: 'filter',
  rate_limited: 'limit',
  invalid: 'invalid',
  client_discard: 'SDK',
}

/** Outcomes of which nothing is missing in the counts. Their stored names are those of Sentry's outcomes. */
const countedReasons: Record<string, { label: string; reason: string }> = {
  duplicate: { label: 'duplicate', reason: 'received before, counted once' },
  'skew-sampled': { label: 'sampled', reason: 'counted in its issue; many alike are stored as a sample' },
}

/** Reasons that need words. */
const reasons: Record<string, string> = {
  spike_protection: 'many times what this key usually sends (spike protection)',
}

type Described = { label: string; short: string; reason: string }

/** What happened to an item, and why. */
export function describeOutcome({ outcome, reason }: { outcome: string; reason: string }): Described {
  const counted = Object.hasOwn(countedReasons, reason) ? countedReasons[reason] : undefined
  if (counted) return { ...counted, short: counted.label }
  return {
    label: outcome.replaceAll('_', ' '),
    short: shortLabels[outcome] ?? 'dropped',
    reason: (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? reason,
  }
}
