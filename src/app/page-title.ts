import type { Metadata } from 'next'
import { showHidden } from '#ui/shorten.ts'

const maxChars = 120 // a tab shows thirty, a bookmark some more

/** The title of a page that is about one thing: which it is, then what. Names come from SDKs and URLs. */
export function pageTitle(...parts: readonly string[]): Metadata {
  return { title: parts.map(cleaned).filter(Boolean).join(' · ') }
}

function cleaned(text: string): string {
  const line = showHidden(
    text
      .slice(0, 2 * maxChars)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const chars = [...line]
  return chars.length > maxChars ? `${chars.slice(0, maxChars - 1).join('')}…` : line
}
