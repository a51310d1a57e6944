const words: Record<string, string> = {
  filtered: 'filtered',
  rate_limited: 'over a limit',
  invalid: 'not understood',
  client_discard: 'dropped by the SDK',
}

/** What happened to something that was not kept, in words. */
export function outcomeWords(outcome: string): string {
  return words[outcome] ?? outcome.replaceAll('_', ' ')
}
