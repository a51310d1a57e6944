import type { Viewer } from '#domain/access/viewer.ts'
import { listProfiles, type ProfileFilter, type ProfileSort } from '#domain/profiles/list-profiles.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatMany } from '#ui/format.ts'
import { ProfileTable } from '#ui/profile/profile-table.tsx'
import { attempt } from '#web/attempt.ts'
import { ListFoot, NothingListed } from '../list-states.tsx'
import { WhyNothing } from '../search/why-nothing.tsx'
import { type ProfileParams, profilesHref } from './search-params.ts'

type Props = { viewer: Viewer; filter: ProfileFilter; params: ProfileParams }

const orders: Record<ProfileSort, string> = { newest: 'newest first', slowest: 'slowest first' }

export async function ProfileList({ viewer, filter, params }: Props) {
  const page = await attempt('profiles', listProfiles(viewer, filter))
  if (!page.ok) return <FailedPanel what="Profiles" reference={page.reference} />
  const { profiles, next } = page.value
  const { slug } = viewer.organization
  const href = (change: Partial<ProfileParams> = {}) => profilesHref(slug, params, change)
  if (profiles.length === 0)
    return (
      <>
        <NothingListed
          noun="profile"
          {...{ params, defaultQuery: '', href }}
          all="All profiles"
          about="A profile shows which functions took the time of a page view or request. In Sentry.init, add browserProfilingIntegration or nodeProfilingIntegration, profileSessionSampleRate: 1 and profileLifecycle: 'trace'. Pages need the header Document-Policy: js-profiling."
        />
        <WhyNothing viewer={viewer} language="spans" text={params.q} filter={filter} hrefOf={q => href({ q })} />
      </>
    )
  const slugOf = new Map(viewer.projects.map(project => [project.id, project.slug]))
  const by = (sort: ProfileSort) => ({ href: href({ sort }), isOn: params.sort === sort })
  return (
    <>
      <ProfileTable
        now={viewer.now}
        sorts={{ duration: by('slowest'), at: by('newest') }}
        rows={profiles.map(profile => ({
          ...profile,
          href: `/${slug}/traces/${profile.traceId}/spans/${profile.spanId}/profile`,
          project: slugOf.get(profile.projectId) ?? '',
        }))}
      />
      <ListFoot
        words={`${formatMany(profiles.length, 'profile')}, ${orders[params.sort]}`}
        first={params.after ? href() : null}
        next={next && href({ after: next })}
      />
    </>
  )
}
