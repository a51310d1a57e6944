import type { Viewer } from '#domain/access/viewer.ts'
import { listSearchValues } from '#domain/issues/list-search-values.ts'
import { searchIssueTitles } from '#domain/issues/search-titles.ts'
import { readReleases } from '#domain/releases/read-releases.ts'
import { searchRoutes } from '#domain/routes/search-routes.ts'
import { formatValue } from '#search/search-term.ts'
import { formatUsers } from '#ui/format.ts'
import type { PaletteAnswer, PaletteResult } from '#ui/palette/palette-entry.ts'
import { excerptAround, shorten, showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { releaseHref } from '#web/release-href.ts'
import { requireViewer } from '#web/viewer.ts'
import { readRouteParams, routeHref } from '../../(app)/[org]/routes/search-params.ts'

const maxChars = 200 // longer than what anyone types to find something
const most = { issues: 6, routes: 4, releases: 4, users: 4 }

/** What the palette finds in stored data: issues, routes, releases and users of the viewer's projects. */
export async function GET(request: Request): Promise<Response> {
  const search = new URL(request.url).searchParams
  const viewer = await requireViewer(search.get('org') ?? '')
  const text = (search.get('q') ?? '').trim().slice(0, maxChars)
  const found = text === '' ? [] : await Promise.all(sources.map(read => attempt('palette', read(viewer, text))))
  const answer: PaletteAnswer = {
    results: found.flatMap(each => (each.ok ? each.value : [])),
    isPartial: found.some(each => !each.ok),
  }
  return Response.json(answer, { headers: { 'Cache-Control': 'private, no-store' } })
}

const sources: ((viewer: Viewer, text: string) => Promise<PaletteResult[]>)[] = [
  findIssues,
  findRoutes,
  findReleases,
  findUsers,
]

/** Everything comes from SDKs: long and hidden characters must not break the list. */
const show = (text: string): string => showHidden(shorten(text, 160))

async function findIssues(viewer: Viewer, text: string): Promise<PaletteResult[]> {
  const issues = await searchIssueTitles(viewer, text, most.issues)
  const words = text.split(/\s+/)
  return issues.map(({ id, shortId, title, culprit, titleMatch, users, status }) => ({
    id: `issue-${id}`,
    group: 'Issue',
    label: show(title),
    note: status === 'unresolved' ? shortId : `${shortId}, ${status}`,
    detail: [
      excerptAround(title, words) ?? '',
      titleMatch === 0 ? `in ${show(culprit)}` : '',
      users > 0 ? weekUsers(users) : '',
    ]
      .filter(Boolean)
      .join(', '),
    href: `/${viewer.organization.slug}/issues/${id}`,
  }))
}

const weekUsers = (users: number): string => `${formatUsers(users)} ${users === 1 ? 'user' : 'users'} in 7 d`

async function findRoutes(viewer: Viewer, text: string): Promise<PaletteResult[]> {
  const routes = await searchRoutes(viewer, text, most.routes)
  const slugs = new Map(viewer.projects.map(({ id, slug }) => [id, slug]))
  return routes.map(({ projectId, route }) => {
    const slug = slugs.get(projectId)
    const scope = viewer.projects.length > 1 && slug !== undefined ? { projects: [slug] } : {}
    return {
      id: `route-${projectId}-${route}`,
      group: 'Route',
      label: show(route),
      note: slug ?? '',
      href: routeHref(viewer.organization.slug, route, readRouteParams({}), scope),
    }
  })
}

async function findReleases(viewer: Viewer, text: string): Promise<PaletteResult[]> {
  const releases = await readReleases(viewer, { text })
  return releases.slice(0, most.releases).map(({ version }) => ({
    id: `release-${version}`,
    group: 'Release',
    label: show(version),
    note: '',
    href: releaseHref(viewer.organization.slug, version),
  }))
}

/** By the start of their email address or id. */
async function findUsers(viewer: Viewer, text: string): Promise<PaletteResult[]> {
  const keys = ['user.email', 'user.id'] as const
  const found = await Promise.all(keys.map(key => listSearchValues(viewer, { of: 'issues', key, prefix: text })))
  return keys
    .flatMap((key, index) =>
      (found[index] ?? []).slice(0, most.users / keys.length).map(({ value }) => ({ key, value })),
    )
    .map(({ key, value }) => ({
      id: `${key}-${value}`,
      group: 'User',
      label: show(value),
      note: 'issues',
      href: `/${viewer.organization.slug}/issues?${new URLSearchParams({ q: `${key}:${formatValue({ parts: [value] })}`, range: '7d' })}`,
    }))
}
