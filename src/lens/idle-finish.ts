/** Why a page load or navigation ended where it did. These spans have no end of their own: the SDK waits until nothing happens. */
const words = new Map([
  ['idleTimeout', 'Ended once nothing had happened for 1 s.'],
  ['finalTimeout', 'Cut off at 30 s, the longest that the SDK waits: the page was still busy.'],
  ['heartbeatFailed', 'Given up because a child span stayed silent for 15 s.'],
  ['cancelled', 'Cancelled: another navigation began before this one was done.'],
  ['documentHidden', 'Ended because the tab was hidden.'],
  ['externalFinish', 'Ended by the app itself.'],
  ['reportPageLoaded', 'Ended by the app, which reported the page as loaded.'],
  ['interactionInterrupted', 'Interrupted by another interaction.'],
])

/** '' where the span says nothing about its end. A hidden tab cancels too, and says so in a word of its own. */
export function idleFinish(reason: string, cancellation: string): string {
  if (reason === '' && cancellation === '') return ''
  if (/hidden/i.test(cancellation)) return words.get('documentHidden') ?? ''
  return words.get(reason) ?? `Ended by “${reason.slice(0, 60)}”.`
}
