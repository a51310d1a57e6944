/** The text without the repetitions of one character at its end. `/x+$/` would try again from each of them: quadratic. */
export function trimEndOf(text: string, char: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === char) end--
  return text.slice(0, end)
}
