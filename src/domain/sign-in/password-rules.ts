import { commonWords } from './common-passwords.ts'

export const minPasswordChars = 8
/** Longer ones only cost time. */
export const maxPasswordChars = 128

export type PasswordFault =
  | 'password_too_short'
  | 'password_too_long'
  | 'password_common'
  | 'password_repeated'
  | 'password_personal'

/** Of the account, so that its password is not made of it. */
export type PasswordOwner = { email?: string | undefined; name?: string | undefined }

/** The lengths that every password has, also one that the operator sets in the terminal. */
export function findLengthFault(password: string): PasswordFault | null {
  const { length } = password
  return length < minPasswordChars ? 'password_too_short' : length > maxPasswordChars ? 'password_too_long' : null
}

/**
 * Why others would guess this password, or null. Needs no network: attackers try leaked passwords, their usual variations, runs of keys
 * and the name of the account first, so these are what is refused. There are no rules about kinds of characters, which make passwords
 * that are hard to remember and easy to guess.
 */
export function findPasswordFault(password: string, owner: PasswordOwner = {}): PasswordFault | null {
  const lengthFault = findLengthFault(password)
  if (lengthFault !== null) return lengthFault
  const lower = password.normalize('NFKC').toLowerCase()
  if (isRepeated(lower)) return 'password_repeated'
  if (isCommon(lower)) return 'password_common'
  return isPersonal(lower, owner) ? 'password_personal' : null
}

/** One to four characters over and over (`abcabcabc`), or fewer than four different ones. */
function isRepeated(text: string): boolean {
  if (new Set(text).size < 4) return true
  return [1, 2, 3, 4].some(size => text === text.slice(0, size).repeat(text.length).slice(0, text.length))
}

const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
]
const bothWays = runs.flatMap(run => [run, [...run].reverse().join('')])

function isCommon(text: string): boolean {
  // Dates and phone numbers.
  if (/^[\d\s./+-]+$/.test(text) && text.length < 16) return true
  const rest = withoutRuns(text)
  return rest.length < 3 || [reduce(text), reduce(rest)].some(word => commonWords.has(word) || isTwice(word))
}

/** `passwordpassword` is as common as `password`. */
const isTwice = (word: string): boolean => {
  const half = word.slice(0, word.length / 2)
  return word === half + half && commonWords.has(half)
}

/** Without runs of four or more keys: `1234qwer` has nothing left. */
function withoutRuns(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    const length = runAt(text, at)
    if (length < 4) rest += text[at]
    at += Math.max(1, length < 4 ? 1 : length)
  }
  return rest
}

function runAt(text: string, at: number): number {
  let longest = 0
  for (const run of bothWays) {
    const from = run.indexOf(text[at] ?? '')
    let length = 0
    while (from >= 0 && from + length < run.length && text[at + length] === run[from + length]) length++
    longest = Math.max(longest, length)
  }
  return longest
}

const letterOf: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** The word that a variation is made of. */
function reduce(text: string): string {
  const letters = [...text].map(letter => letter >= 'a' && letter <= 'z')
  const core = [...text].slice(letters.indexOf(true), letters.lastIndexOf(true) + 1).join('')
  return core.replace(/[013457@$!]/g, sign => letterOf[sign] ?? sign).replace(/[^a-z]/g, '')
}

/** Made of the address or the name, apart from a few characters. */
function isPersonal(text: string, { email = '', name = '' }: PasswordOwner): boolean {
  const [local = '', host = ''] = email.toLowerCase().split('@')
  const words = [email.toLowerCase(), local, host, host.split('.')[0] ?? '', ...name.toLowerCase().split(/\s+/)]
  const known = words.filter(word => word.length >= 4).sort((a, b) => b.length - a.length)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), text)
  return rest !== text && rest.replace(/[^\p{L}]/gu, '').length < 4
}
