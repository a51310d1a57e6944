import type { Viewer } from '#domain/access/viewer.ts'
import type { PaletteEntry } from '#ui/palette/palette-entry.ts'
import { mainPages } from './rail.tsx'

const maxProjects = 100

/** The palette's entries on every page: pages, projects and the actions of the rail. */
export function paletteEntries({ organization, projects }: Viewer): PaletteEntry[] {
  const base = `/${organization.slug}`
  const known = projects.slice(0, maxProjects)
  return [
    ...mainPages(organization.slug).map(({ href, label }) => ({
      id: href,
      group: 'Go to' as const,
      label,
      note: 'page',
      href,
    })),
    { id: 'tokens', group: 'Go to' as const, label: 'Tokens', note: 'settings', href: `${base}/settings/tokens` },
    ...known.map(({ slug }) => ({
      id: `issues-${slug}`,
      group: 'Go to' as const,
      label: `${slug} issues`,
      note: 'project',
      href: `${base}/issues?project=${slug}`,
    })),
    ...known.map(({ slug }) => ({
      id: `project-${slug}`,
      group: 'Go to' as const,
      label: slug,
      note: 'project',
      href: `${base}/projects/${slug}`,
    })),
    { id: 'theme', group: 'Action', label: 'Change theme', press: '.rail button[aria-label^="Theme"]' },
    { id: 'sign-out', group: 'Action', label: 'Sign out', press: '.rail button[aria-label="Sign out"]' },
  ]
}
