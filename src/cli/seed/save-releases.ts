import { createHash } from 'node:crypto'
import type { CommandContext } from '#domain/access/command-context.ts'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import type { NewCommit } from '#domain/releases/replace-commits.ts'
import { saveRelease } from '#domain/releases/save-release.ts'
import type { SeedPlan } from './plan.ts'

type Change = { message: string; author: 'Ada' | 'Grace' | 'Linus'; files: readonly string[] }

/** Of the files that seeded errors name. */
const changes: readonly Change[] = [
  { message: 'Show the price with its currency', author: 'Ada', files: ['app/items/[id]/price.tsx', 'lib/money.ts'] },
  { message: 'Load the gallery when it comes into view', author: 'Grace', files: ['ui/lazy-gallery.tsx'] },
  {
    message: 'Search: ask the index for 50 hits at most',
    author: 'Linus',
    files: ['app/search/page.tsx', 'search/search.ts'],
  },
  { message: 'Checkout: send the receipt after the response', author: 'Ada', files: ['app/api/checkout/route.ts'] },
  { message: 'Keep ten connections in the pool', author: 'Grace', files: ['lib/db.ts'] },
  { message: 'Facets come as a list', author: 'Linus', files: ['app/search/facets.tsx'] },
  {
    message: 'Make the header stick on phones',
    author: 'Grace',
    files: ['ui/sticky-header.tsx', 'ui/header.module.css'],
  },
  { message: 'Say when the prices are from', author: 'Ada', files: ['ui/rendered-at.tsx'] },
]
const perRelease = 3
const minuteMs = 60_000
const deployTakesMs = 4 * minuteMs

/** The releases of the plan with the commits and deploys that tools report, so that their pages have what a real one has. */
export async function saveReleases(
  context: CommandContext,
  organizationId: number,
  { projectId, releases, days }: Pick<SeedPlan, 'projectId' | 'releases' | 'days'>,
): Promise<void> {
  for (const [index, { name: version, deployedMs }] of releases.entries()) {
    const releasedAt = deployedMs || (days[0]?.startMs ?? context.now())
    const commits = Array.from({ length: perRelease }, (_, at) =>
      toCommit(
        changes[(index * perRelease + at) % changes.length],
        `${version} ${at}`,
        releasedAt - (at + 1) * 47 * minuteMs,
      ),
    )
    const fields = { startedAt: releasedAt, releasedAt }
    const release = { organizationId, version, projectIds: [projectId] }
    await saveRelease(context, { ...release, fields, commits: commits.flat() })
    if (deployedMs === 0) continue // before all visits
    const startedAt = deployedMs - deployTakesMs
    await createDeploy(context, {
      ...release,
      environment: 'production',
      name: '',
      url: '',
      startedAt,
      finishedAt: deployedMs,
    })
  }
}

function toCommit(change: Change | undefined, key: string, committedAt: number): NewCommit[] {
  if (change === undefined) return []
  const { message, author, files } = change
  return [
    {
      commitId: createHash('sha1').update(key).digest('hex'),
      repository: 'demo/shop',
      authorName: author,
      authorEmail: `${author.toLowerCase()}@shop.example.com`,
      message,
      committedAt,
      fileCount: files.length,
      files: files.map(path => ({ path, type: 'M' })),
    },
  ]
}
