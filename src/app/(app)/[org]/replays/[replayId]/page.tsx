import type { Metadata } from 'next'
import { cache } from 'react'
import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { findReplay } from '#domain/replays/find-replay.ts'
import { listJourney } from '#domain/replays/list-journey.ts'
import { listMoments, pathOf } from '#domain/replays/list-moments.ts'
import { listReplayErrors, type ReplayError } from '#domain/replays/list-replay-errors.ts'
import { listReplayLogs } from '#domain/replays/list-replay-logs.ts'
import { listServerRequests } from '#domain/replays/list-server-requests.ts'
import type { ReplaySummary } from '#domain/replays/read-summaries.ts'
import { maxErrors } from '#domain/traces/list-errors.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatMany } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { Journey, type JourneyStop } from '#ui/replay/journey.tsx'
import styles from '#ui/replay/player/player.module.css'
import { ReplayScreen } from '#ui/replay/player/replay-screen.tsx'
import { nameVisitor } from '#ui/replay/visitor.ts'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { attempt } from '#web/attempt.ts'
import { findViewer, requireViewer } from '#web/viewer.ts'
import { pageTitle } from '../../../../page-title.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { buildReplayData, isEarly } from './build-replay-data.ts'
import { DeleteForm } from './delete-form.tsx'

type Props = {
  params: Promise<{ org: string; replayId: string }>
  searchParams: Promise<{ t?: string | string[] }>
}

/** Cached per request: the page and its title need it. */
const readReplay = cache((viewer: Viewer, replayId: string) => attempt('replay', findReplay(viewer, replayId)))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, replayId } = await params
  const admission = await findViewer(org)
  if (admission.kind !== 'viewer') return {}
  const found = await readReplay(admission.viewer, replayId)
  if (!found.ok) return pageTitle(`Replay ${replayId.slice(0, 8)}`)
  return found.value
    ? pageTitle(nameVisitor(found.value.user, found.value.replayId), `replay ${replayId.slice(0, 8)}`)
    : pageTitle('Not found')
}

/** One replay with its player, in step with what the user did and what the server did for them. */
export default async function ReplayPage({ params, searchParams }: Props) {
  const { org, replayId } = await params
  const { t } = await searchParams
  const viewer = await requireViewer(org)
  const found = await readReplay(viewer, replayId)
  if (found.ok && !found.value)
    return <NothingHere organizationSlug={org} kind="Replay" name={replayId} list="replays" />
  const replay = found.ok ? found.value : null
  return (
    <>
      <TopBar
        actions={
          replay && mayDo(viewer.role, 'replay.delete') ? (
            <DeleteForm organizationSlug={org} replayId={replay.replayId} />
          ) : null
        }
      >
        <Trail stops={[{ href: `/${org}/replays`, label: 'Replays' }]} here={replayId.slice(0, 8)} />
      </TopBar>
      {!found.ok ? <FailedPanel what="This replay" reference={found.reference} /> : null}
      {replay ? <Screen viewer={viewer} replay={replay} t={typeof t === 'string' ? t : ''} /> : null}
    </>
  )
}

async function Screen({ viewer, replay, t }: { viewer: Viewer; replay: ReplaySummary; t: string }) {
  const [moments, errors, servers, lines, journey] = await Promise.all([
    attempt('moments', listMoments(viewer, replay)),
    attempt('replay errors', listReplayErrors(viewer, replay)),
    attempt('server requests', listServerRequests(viewer, replay)),
    attempt('replay logs', listReplayLogs(viewer, replay)),
    attempt('journey', listJourney(viewer, replay)),
  ])
  const data = buildReplayData({
    organizationSlug: viewer.organization.slug,
    replay,
    moments: moments.ok ? moments.value : [],
    errors: errors.ok ? errors.value : [],
    servers: servers.ok ? servers.value : [],
    lines: lines.ok ? lines.value : [],
    t,
  })
  return (
    <ReplayScreen data={data}>
      {/* The browser asks for it while it loads the page's script; the player reads the same answer. */}
      <link rel="preload" as="fetch" href={`${data.path}/recording`} crossOrigin="anonymous" />
      <Journey here={replay.replayId} stops={journey.ok ? journey.value.map(each => stopOf(each, viewer)) : []} />
      <h1 className="sr">Replay of {nameVisitor(replay.user, replay.replayId)}</h1>
      <div className={styles.facts}>
        <b>{shorten(nameVisitor(replay.user, replay.replayId), 60)}</b>
        <Moment at={replay.startedAt} />
        <span>{[replay.browser, replay.os].filter(Boolean).join(', ')}</span>
        {replay.release === '' ? null : <span className="mono">{shorten(replay.release, 40)}</span>}
        {replay.errors > 0 ? (
          <span className={styles.bad}>
            <Level level="error" /> {formatMany(replay.errors, 'error')}
            {errors.ok ? describeErrors(replay, errors.value) : ''}
          </span>
        ) : null}
        {replay.rageClicks > 0 ? (
          <span className={styles.rage}>{formatMany(replay.rageClicks, 'rage click')}</span>
        ) : null}
        {replay.deadClicks > 0 ? <span>{formatMany(replay.deadClicks, 'dead click')}</span> : null}
      </div>
      {[moments, errors, servers, lines, journey].map((part, index) =>
        part.ok ? null : <FailedPanel key={index} what="A part of this replay" reference={part.reference} />,
      )}
    </ReplayScreen>
  )
}

/** Which of the errors that the replay counts are not in its picture or not in its lists. */
function describeErrors(replay: ReplaySummary, errors: readonly ReplayError[]): string {
  const own = errors.filter(({ isOwn }) => isOwn)
  const early = own.filter(({ at }) => isEarly(at, replay)).length
  // Lists end long before the counts do.
  const lost = errors.length < maxErrors ? replay.errors - own.length : 0
  return [
    early > 0 ? `, ${early === replay.errors ? '' : `${formatWhole(early)} `}before the recording` : '',
    lost > 0 ? `, ${formatWhole(lost)} not stored` : '',
  ].join('')
}

const stopOf = ({ replayId, startedAt, endedAt, urls, errors }: ReplaySummary, viewer: Viewer): JourneyStop => ({
  replayId,
  startedAt,
  endedAt,
  errors,
  href: `/${viewer.organization.slug}/replays/${replayId}`,
  // Without the query, which may hold anything.
  path: pathOf(urls[0] ?? '').split('?', 1)[0] ?? '',
})
