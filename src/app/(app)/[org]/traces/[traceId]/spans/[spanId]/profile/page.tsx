import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { ownCodeOnly } from '#domain/profiles/cut-profile.ts'
import type { SpanProfile } from '#domain/profiles/find-profile.ts'
import { listFunctions, mergedBoxes, timeBoxes } from '#domain/profiles/flame.ts'
import { Blank } from '#ui/blank.tsx'
import { formatDuration } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { type FlameView, formatSampled } from '#ui/profile/flame-view.ts'
import { ProfileView } from '#ui/profile/profile-view.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../../../../nothing-here.tsx'
import { loadProfile } from './load-profile.ts'

export const metadata: Metadata = { title: 'Profile' }

type Props = {
  params: Promise<{ org: string; traceId: string; spanId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Boxes and functions that are sent to the browser: the longest. */
const mostBoxes = 20_000
const mostFunctions = 200

/** Where the time of a span went: its part of the profile, in the order of time or with the same calls together. */
export default async function ProfilePage({ params, searchParams }: Props) {
  const { org, traceId, spanId } = await params
  const viewer = await requireViewer(org)
  const query = await searchParams
  const choice = { isMerged: query.view === 'merged', isOwn: query.code === 'own' }
  const found = await loadProfile(viewer, { traceId, spanId })
  if (!found) return <NothingHere organizationSlug={org} kind="Span" name={spanId} list="traces" />
  const path = `/${org}/traces/${traceId}/spans/${spanId}/profile`
  const trace = `/${org}/traces/${traceId}`
  const { span, profile } = found
  return (
    <>
      <TopBar
        actions={
          profile ? (
            <>
              <a className="btn s" href={`${path}/speedscope`} download>
                <Download className="i" aria-hidden="true" /> speedscope
              </a>
              <a className="btn s" href={`${path}/chrome`} download>
                <Download className="i" aria-hidden="true" /> Chrome
              </a>
            </>
          ) : null
        }
      >
        <Trail stops={[{ href: trace, label: `Trace ${traceId.slice(0, 8)}` }]} here="Profile" />
      </TopBar>
      <div className="main">
        <h1 className="title">
          {shorten(span.name, 200)} <span className="t3">{formatDuration(span.duration_us)}</span>
        </h1>
        <p className="t2">
          {span.route ? <span className="mono">{showHidden(span.route)} </span> : null}
          <Moment at={span.at} withMs />{' '}
          <Link className="link" href={`${trace}#span-${spanId}`}>
            Span in the trace
          </Link>
        </p>
        {profile ? (
          <Profiled found={found} choice={choice} path={path} />
        ) : (
          <Blank title="No profile of this span">
            {span.profilerId === ''
              ? 'The SDK did not profile it: add browserProfilingIntegration or nodeProfilingIntegration, and send the header Document-Policy: js-profiling with pages.'
              : 'The SDK profiled it, but no sample of this time has arrived, or they have expired.'}
          </Blank>
        )}
      </div>
    </>
  )
}

type Choice = { isMerged: boolean; isOwn: boolean }

function Profiled({ found, choice, path }: { found: SpanProfile; choice: Choice; path: string }) {
  const view = viewOf(found, choice)
  if (view === null) return null
  const [top] = view.functions
  const topFrame = top && view.frames[top.frame]
  const { mapped, profile, platform } = found
  return (
    <>
      {top && topFrame ? (
        <p className="lede">
          <b>
            <span className="mono">{topFrame.name}</span> takes {formatSampled(top.selfMs, view.intervalMs)} itself
          </b>
          , of{' '}
          {formatSampled(
            view.functions.reduce((sum, { selfMs }) => sum + selfMs, 0),
            view.intervalMs,
          )}{' '}
          that were sampled.
        </p>
      ) : null}
      <p className="t3">
        {platform === 'node' ? 'Node' : 'Browser'} profile, thread {shorten(profile?.threadName ?? '', 60)},{' '}
        {profile?.samples} samples, one every {Math.round(view.intervalMs)} ms: times are rounded.{' '}
        {mapped.own > 0 && mapped.named < mapped.own
          ? `${mapped.own - mapped.named} of ${mapped.own} functions of your code have no source map: upload it to see their names.`
          : null}
      </p>
      <nav className="views" aria-label="Views">
        {[
          { label: 'Time order', isOn: !choice.isMerged, change: { isMerged: false } },
          { label: 'Merged', isOn: choice.isMerged, change: { isMerged: true } },
        ].map(({ label, isOn, change }) => (
          <Link key={label} href={hrefOf(path, { ...choice, ...change })} aria-current={isOn ? 'page' : undefined}>
            {label}
          </Link>
        ))}
        <Link href={hrefOf(path, { ...choice, isOwn: !choice.isOwn })} aria-current={choice.isOwn ? 'true' : undefined}>
          {choice.isOwn ? 'Show all code' : 'Only my code'}
        </Link>
      </nav>
      <ProfileView key={hrefOf('', choice)} view={view} />
    </>
  )
}

function hrefOf(path: string, { isMerged, isOwn }: Choice): string {
  const search = new URLSearchParams({ ...(isMerged ? { view: 'merged' } : {}), ...(isOwn ? { code: 'own' } : {}) })
  return search.size > 0 ? `${path}?${search}` : path
}

function viewOf({ profile, span }: SpanProfile, { isMerged, isOwn }: Choice): FlameView | null {
  if (profile === null) return null
  const shown = isOwn ? ownCodeOnly(profile) : profile
  const boxes = isMerged ? mergedBoxes(shown) : timeBoxes(shown)
  const kept =
    boxes.length > mostBoxes
      ? boxes
          .toSorted((a, b) => b.to - b.from - (a.to - a.from))
          .slice(0, mostBoxes)
          .sort((a, b) => a.from - b.from || a.depth - b.depth)
      : boxes
  const lengthMs = isMerged ? Math.max(1, ...boxes.map(({ to }) => to)) : Math.max(1, span.duration_us / 1_000)
  return {
    frames: shown.frames.map(({ name, file, line, isOwn: isMine }) => ({
      name: shorten(name, 120),
      where: file === '' ? '' : `${shorten(shortFile(file), 120)}${line > 0 ? `:${line}` : ''}`,
      isOwn: isMine,
    })),
    boxes: kept.map(({ frame, depth, from, to, samples }) => [frame, depth, round(from), round(to), samples] as const),
    functions: listFunctions(shown).slice(0, mostFunctions),
    lengthMs,
    intervalMs: shown.intervalMs,
  }
}

const round = (ms: number): number => Math.round(ms * 100) / 100

/** Without origin and installation folder: what is in front of a package says nothing. */
const shortFile = (file: string): string =>
  file.replace(/^.*[/\\]node_modules[/\\]/, '').replace(/^(?:file:\/\/|https?:\/\/[^/]+)/, '')
