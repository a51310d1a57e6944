/** What an SDK sent may be a megabyte long: pages show its head, and say so. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength)}… (${(text.length - maxLength).toLocaleString('en-US')} more characters)`
}
