import type { Frame } from '#protocol/event.ts'
import { fileOf } from './file-of.ts'

/** Names that every folder of an app may have: alone they tell nothing. */
const commonName = /^(?:page|layout|route|template|loading|error|not-found|default|index|actions|middleware)\.\w+$/
/** `chunk-7Q2M3XZA`: bundlers name a file after its content. At least one digit, so that words remain words. */
const buildHash = /[-._~](?=[a-z]*\d)[0-9a-z]{7,40}(?=\.[cm]?js$|$)/i
const query = /[?#].*$/s
const root = /^.*\/(?:app|pages|src)\/(?=.)/
/** Chars: no name without a separator and seven more can end in a hash. */
const minHashedChars = 9

/** Module, else the file without the folders that differ between machines, stages and deploys. */
export function placeOf(frame: Frame): string {
  const { module } = frame
  // A module with slashes is the path again, with all that differs in it.
  if (typeof module === 'string' && module !== '' && !module.includes('/')) return withoutHash(module)
  const file = fileOf(frame).replace(query, '').replaceAll('\\', '/')
  const base = file.slice(file.lastIndexOf('/') + 1).toLowerCase()
  if (!commonName.test(base)) return withoutHash(base)
  const fromRoot = file.replace(root, '')
  return fromRoot === file ? file.split('/').slice(-2).join('/') : fromRoot
}

const withoutHash = (name: string): string => (name.length < minHashedChars ? name : name.replace(buildHash, ''))
