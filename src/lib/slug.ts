/** First path segments of our own pages: the pages of an organization with such a slug would be unreachable. */
const reserved = new Set(
  'account api app assets auth cron docs favicon.ico healthz invite login logout metrics monitoring new organizations readyz robots.txt security settings setup signup static store tunnel unsubscribe _next'.split(
    ' ',
  ),
)

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/

export const maxSlugChars = 50

export type SlugFault = 'slug_invalid' | 'slug_reserved'

/** At most 50 lowercase letters, digits and inner hyphens; not only digits, because tools use a slug or an id interchangeably. */
export function findSlugFault(slug: string, kind: 'organization' | 'project' | 'team'): SlugFault | null {
  if (!pattern.test(slug) || /^\d+$/.test(slug)) return 'slug_invalid'
  return kind === 'organization' && reserved.has(slug) ? 'slug_reserved' : null
}
