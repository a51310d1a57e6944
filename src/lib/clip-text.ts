/** The first `maxChars` of a text, never half a surrogate pair: a lone half is no valid text for the stores. */
export function clipText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars)
}
