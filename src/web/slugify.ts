import { maxSlugChars } from '#lib/slug.ts'
import { trimEndOf } from '#lib/text.ts'

/** `Acme Größe & Co` → `acme-grosse-co`. May be empty; the command rejects that. */
export function slugify(name: string): string {
  const words = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return trimEndOf(words.slice(0, maxSlugChars), '-')
}
