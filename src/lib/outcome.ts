/** What happened to received data, in the terms of Sentry's outcomes. */
export type OutcomeKind = 'accepted' | 'filtered' | 'rate_limited' | 'invalid' | 'client_discard'
export type Outcome = {
  projectId: number
  category: string
  kind: OutcomeKind
  reason: string
  quantity: number
  at: number
}
