import { filteredBySdk, scrubbed } from './placeholder.ts'

const urlPassword = /(:\/\/[^\s/:@"']{0,256}:)([^\s/@"']{1,256})@/g

/** `postgres://app:secret@host`. The very same string when there is none: most texts have no `@`, and looking for it is cheap. */
export function scrubUrlPassword(text: string): string {
  if (!text.includes('@') || !text.includes('://')) return text
  return text.replace(urlPassword, (all, start: string, password: string) =>
    password === filteredBySdk || password === scrubbed ? all : `${start}${scrubbed}@`,
  )
}
