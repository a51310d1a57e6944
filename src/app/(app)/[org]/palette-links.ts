import type { Viewer } from '#domain/access/viewer.ts'
import type { PaletteLink } from '#ui/palette/palette-entry.ts'
import { mainPages } from './rail.tsx'

const maxProjects = 100

type Other = { slug: string; name: string }

/** The pages that the palette offers everywhere. */
export function paletteLinks({ organization, projects }: Viewer, others: readonly Other[]): PaletteLink[] {
  const base = `/${organization.slug}`
  const known = projects.slice(0, maxProjects)
  return [
    ...mainPages(organization.slug).map(({ href, label, key }) => ({
      id: href,
      label,
      note: 'page',
      href,
      shortcut: key.shortcut,
    })),
    { id: 'channels', label: 'Channels', note: 'settings', href: `${base}/settings/channels` },
    { id: 'notifications', label: 'Notifications', note: 'page', href: `${base}/notifications` },
    { id: 'account', label: 'Account', note: 'password, second factor, sessions', href: '/account' },
    { id: 'tokens', label: 'Tokens', note: 'settings', href: `${base}/settings/tokens` },
    { id: 'members', label: 'Members', note: 'settings', href: `${base}/settings/members` },
    ...others.map(({ slug, name }) => ({
      id: `organization-${slug}`,
      label: `Switch to ${name}`,
      note: 'organization',
      href: `/${slug}/issues`,
    })),
    ...known.map(({ slug }) => ({
      id: `issues-${slug}`,
      label: `${slug} issues`,
      note: 'project',
      href: `${base}/issues?project=${slug}`,
    })),
    ...known.map(({ slug }) => ({
      id: `project-${slug}`,
      label: slug,
      note: 'project',
      href: `${base}/projects/${slug}`,
    })),
  ]
}
