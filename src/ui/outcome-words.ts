const words: Record<string, string> = {
  filtered: 'filtered',
  rate_limited: 'over a limit',
  invalid: 'not understood',
  client_discard: 'dropped by the SDK',
}

const labels: Record<string, string> = {
  filtered: 'filter',
  rate_limited: 'limit',
  invalid: 'invalid',
  client_discard: 'SDK',
}

/** Who kept it out, in a word that fits a narrow column. */
export function outcomeLabel(outcome: string): string {
  return labels[outcome] ?? 'dropped'
}

/** What happened to something that was not kept, in words. */
export function outcomeWords(outcome: string): string {
  return words[outcome] ?? outcome.replaceAll('_', ' ')
}
