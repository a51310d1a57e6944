/** Ways in which a submitted form can fail to get a proper answer, and the message that the page shows for each. */
import type { TurnedAway } from '#lib/submission.ts'

export type LossKind =
  | TurnedAway['why']
  /** It was not sent, because a probe before it failed. */
  | 'unsent'
  /** It was sent, and the browser is checking whether it arrived. */
  | 'checking'
  /** It may have been done, and sending it again is harmless. */
  | 'unanswered'
  /** The server says that it has not arrived. */
  | 'not_arrived'
  /** It was done, and its answer is lost again and again. */
  | 'arrived'
  /** The server doesn't know the action: the page is of another build. */
  | 'updated'
  /** A script of the page could not be loaded. */
  | 'missing_part'
  /** The server threw. */
  | 'failed'

/** The action of a button in the message. */
export type Remedy = 'retry' | 'reload' | 'sign-in'

const said: Record<LossKind, { text: string; remedies: readonly Remedy[] }> = {
  unsent: { text: 'Couldn’t reach Hydrant. Nothing was changed.', remedies: ['retry'] },
  not_arrived: { text: 'Couldn’t reach Hydrant. Nothing was changed.', remedies: ['retry'] },
  checking: { text: 'Couldn’t reach Hydrant. Checking whether your change arrived…', remedies: ['retry'] },
  unanswered: { text: 'Couldn’t reach Hydrant. Your change may have arrived.', remedies: ['retry'] },
  arrived: { text: 'Your change arrived, but the answer was lost.', remedies: ['retry'] },
  updated: { text: 'Hydrant was updated. Reload to continue. Nothing was changed.', remedies: ['reload'] },
  missing_part: { text: 'A part of this page couldn’t be loaded. Reload to continue.', remedies: ['reload'] },
  failed: { text: 'Hydrant couldn’t complete this.', remedies: ['retry'] },
  signed_out: {
    text: 'Your session has ended. Nothing was changed. Sign in, then retry.',
    remedies: ['sign-in', 'retry'],
  },
  not_allowed: { text: 'You may no longer do this. Nothing was changed.', remedies: ['retry'] },
  not_found: {
    text: 'This no longer exists, or you no longer have access. Nothing was changed.',
    remedies: ['retry'],
  },
  running: { text: 'Hydrant is still working on this.', remedies: ['retry'] },
  unclear: {
    text: 'Hydrant stopped while it worked on this. Reload to see whether it was done.',
    remedies: ['reload'],
  },
  withdrawn: { text: 'This arrived too late and was ignored. Nothing was changed.', remedies: ['retry'] },
}

export const describeLoss = (kind: LossKind) => said[kind]

/** Only these sentences say that nothing was changed, because only then it is known. */
export const isUnchanged = (kind: LossKind): boolean => said[kind].text.includes('Nothing was changed')

/** Describes several losses together: says only what is true of all of them. */
export function describeLosses(kinds: readonly LossKind[]): { text: string; remedies: readonly Remedy[] } {
  const [first] = kinds
  if (first === undefined) return { text: '', remedies: [] }
  if (new Set(kinds).size === 1 && kinds.length === 1) return said[first]
  const remedies = (['sign-in', 'reload', 'retry'] as const).filter(each =>
    kinds.some(kind => said[kind].remedies.includes(each)),
  )
  const known = kinds.every(isUnchanged) ? 'None of them was made.' : 'Some of them may have been made.'
  return { text: `${kinds.length} changes didn’t get through. ${known}`, remedies }
}
