import { scrubbed } from './placeholder.ts'

/** 13 to 19 digits with single spaces or hyphens, beginning like a card; not glued to letters, digits or a decimal point. */
const candidate = /(?<![\w.-])[2-6]\d(?:[ -]?\d){11,17}(?![\w-]|\.\d)/g

/** Thirteen digits anywhere: the engine skips through a text for it. */
const manyDigits = /\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d/g
const glued = /[\w.-]/

export function scrubCards(text: string): string {
  manyDigits.lastIndex = 0
  if (!manyDigits.test(text)) return text
  return text.replace(candidate, found => (isCardNumber(found) ? scrubbed : found))
}

export function hasCards(text: string): boolean {
  manyDigits.lastIndex = 0
  for (let found = manyDigits.exec(text); found !== null; found = manyDigits.exec(text)) {
    // Most long numbers are fractions, or stand inside an id.
    if (found.index > 0 && glued.test(text.charAt(found.index - 1))) continue
    const near = text.slice(Math.max(0, found.index - 1), found.index + 40)
    if (near.replace(candidate, each => (isCardNumber(each) ? '' : each)) !== near) return true
  }
  return false
}

/** Luhn's check digit: nine of ten random numbers fail it. */
function isCardNumber(text: string): boolean {
  let sum = 0
  let digits = 0
  for (let at = text.length - 1; at >= 0; at--) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) continue
    const doubled = digits % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
    digits++
  }
  return digits >= 13 && digits <= 19 && sum % 10 === 0
}

/** A card number that was sent as a number. Times in milliseconds begin with 1, so they are never taken for one. */
export function isCardValue(value: number): boolean {
  return value >= 2e12 && Number.isSafeInteger(value) && /^[2-6]/.test(String(value)) && isCardNumber(String(value))
}
