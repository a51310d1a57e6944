/** Which issues a command is about. The scope comes from the viewer: an issue outside of it is simply not there. */
export type IssueTarget = {
  /** Project ids. */
  scope: readonly number[]
  issueIds: readonly number[]
}

/** Issues at once: what "all that match" may reach. One transaction holds them all, and digest waits for it. */
export const maxIssuesAtOnce = 10_000

/** Bound parameters per statement, far below what either database allows. */
export const chunkSize = 400

/** Ascending and each once: two commands lock the same issues in the same order. */
export function* chunksOf(ids: readonly number[]): Generator<number[]> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  for (let start = 0; start < sorted.length; start += chunkSize) yield sorted.slice(start, start + chunkSize)
}
