/**
 * The prefix of a failed panel's reference, which is also in the log. The panel reads from it what happened: the organization has too many
 * reads waiting, the read took too long, or it failed.
 */
export const failureKinds = { busy: 'busy_', slow: 'slow_', failed: 'req_' } as const

export type FailureKind = keyof typeof failureKinds
