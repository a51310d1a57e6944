import { Ago } from '#ui/ago.tsx'
import { Facts } from '#ui/facts.tsx'
import { AdoptionBar } from '#ui/release/adoption-bar.tsx'
import { shorten } from '#ui/shorten.ts'
import type { LoadedRelease } from './load-release.ts'

export function ReleaseSide({ loaded: { viewer, release, adoption } }: { loaded: LoadedRelease }) {
  const ago = (at: number | null) => (at === null ? null : <Ago at={at} now={viewer.now} />)
  const counts = adoption.ok ? adoption.value.get(release.version) : undefined
  const projects = viewer.projects.filter(({ id }) => release.projectIds.includes(id)).map(({ slug }) => slug)
  return (
    <section>
      <Facts
        facts={[
          { label: 'Released', value: release.releasedAt === null ? 'not said' : ago(release.releasedAt) },
          { label: 'First heard', value: ago(release.createdAt) },
          { label: 'First event', value: release.firstSeen === null ? 'none yet' : ago(release.firstSeen) },
          { label: 'Users, 24 h', value: counts?.share == null ? null : <AdoptionBar share={counts.share} /> },
          { label: 'Events, 14 d', value: counts ? counts.events.toLocaleString('en-US') : null },
          { label: 'Users hit', value: counts && counts.users > 0 ? counts.users.toLocaleString('en-US') : null },
          { label: 'Projects', value: projects.length === 0 ? 'none' : projects.join(', ') },
          {
            label: 'Commit',
            value: release.ref === '' ? null : <span className="mono">{shorten(release.ref, 40)}</span>,
          },
          { label: 'Address', value: release.url === '' ? null : <OutsideLink url={release.url} /> },
        ]}
      />
    </section>
  )
}

/** Tools send any text as the address of a release: only what is one becomes a link. */
function OutsideLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span>{shorten(url, 200)}</span>
  return (
    <a className="link" href={url} rel="noreferrer noopener nofollow" target="_blank">
      {shorten(url, 80)}
    </a>
  )
}
