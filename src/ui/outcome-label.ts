const shortLabels: Record<string, string> = {
  filtered: 'filter',
  rate_limited: 'limit',
  invalid: 'invalid',
  client_discard: 'SDK',
}

/** One word for a narrow column. */
export function shortOutcomeLabel(outcome: string): string {
  return shortLabels[outcome] ?? 'dropped'
}

/** Sentry's name of the outcome: `rate limited`, `client discard`. */
export function outcomeLabel(outcome: string): string {
  return outcome.replaceAll('_', ' ')
}
