/** Why something that arrived was not kept, or was lost on its way. Shown to users, so the words are theirs. */
export type OutcomeKind = 'accepted' | 'filtered' | 'rate_limited' | 'invalid' | 'client_discard'
export type Outcome = {
  projectId: number
  category: string
  kind: OutcomeKind
  reason: string
  quantity: number
  at: number
}
