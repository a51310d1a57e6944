import type { Trace } from '#queries/trace/find-trace.ts'

const tail = 1.3

/**
 * What is drawn before anybody zooms: all of it, or, where something trails far behind (a click a minute later, a job), what the
 * trace is about. The map above the waterfall shows the rest.
 */
export function firstWindow({ tree, summary }: Trace): { fromUs: number; toUs: number } {
  const wholeUs = Math.max(1, tree.endUs - tree.startUs)
  const { main } = summary
  const mainEndUs = main ? main.startUs + main.durationUs - tree.startUs : 0
  return { fromUs: 0, toUs: mainEndUs > 0 && wholeUs > mainEndUs * tail ? mainEndUs * 1.02 : wholeUs }
}
