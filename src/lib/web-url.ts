const maxUrlChars = 2_000 // browsers and trackers take no longer ones

/** A URL that a page may link to: http or https, as the browser would read it. Null for everything else. */
export function readWebUrl(text: string): string | null {
  if (text.length > maxUrlChars || !/^https?:\/\//i.test(text)) return null
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
    ? url.href
    : null
}
