import { showHidden } from './show-hidden.ts'

/** What an SDK sent may be a megabyte long, or hold what cannot be seen: pages show its head, and say so. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return showHidden(text)
  return `${showHidden(text.slice(0, maxLength))}… (${(text.length - maxLength).toLocaleString('en-US')} more characters)`
}
