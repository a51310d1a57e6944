/**
 * The words of a text, as the engine's index of words cuts it: runs of ASCII letters and digits, and of everything beyond ASCII.
 * `request_id=a1` has three.
 */
const word = /[0-9A-Za-z\u0080-\u{10ffff}]+/gu

export const wordsIn = (text: string): string[] => text.match(word) ?? []

/** The words of a searched text that the index can look up: it compares ASCII letters without regard to case, and others not. */
export const indexedWords = (text: string): string[] => [
  ...new Set(
    wordsIn(text)
      .filter(each => /^[0-9A-Za-z]+$/.test(each))
      .map(each => each.toLowerCase()),
  ),
]
