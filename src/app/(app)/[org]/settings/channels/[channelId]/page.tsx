import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { titleMessages } from '#domain/alerts/title-messages.ts'
import type { ChannelKind } from '#domain/channels/kinds/kind.ts'
import { findKind } from '#domain/channels/kinds/list.ts'
import { findChannel, listDeliveries, listPendingMessages } from '#domain/channels/list-channels.ts'
import { Facts, Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { Ago } from '#ui/time/ago.tsx'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../../nothing-here.tsx'
import { ChannelForm } from '../channel-form.tsx'
import { ChannelState, waitingLine } from '../channel-state.tsx'
import styles from '../channels.module.css'
import { DeliveryAnswer, DeliveryLog } from '../delivery-log.tsx'
import { ChannelActions } from './channel-actions.tsx'
import { PendingMessages } from './pending-messages.tsx'

export const metadata: Metadata = { title: 'Channel' }

type Props = {
  params: Promise<{ org: string; channelId: string }>
  searchParams: Promise<{ test?: string | string[] }>
}

export default async function ChannelPage({ params, searchParams }: Props) {
  const { org, channelId } = await params
  const viewer = await requireViewer(org)
  const { slug } = viewer.organization
  const channel = /^\d{1,15}$/.test(channelId) ? await findChannel(viewer, Number(channelId)) : null
  if (channel === null) return <NothingHere organizationSlug={slug} kind="Channel" name={channelId} />
  const kind = findKind(channel.kind)
  return (
    <>
      <TopBar>
        <h1 className="sr">{channel.name}</h1>
        <Trail
          stops={[
            { href: `/${slug}/settings`, label: 'Settings' },
            { href: `/${slug}/settings/channels`, label: 'Channels' },
          ]}
          here={channel.name}
        />
      </TopBar>
      <div className="page-body">
        <Section title="Channel">
          <Facts
            facts={[
              { label: 'State', value: <ChannelState condition={channel.condition} /> },
              // A channel that is behind works: since when messages wait is below.
              ...(channel.condition === 'waiting'
                ? []
                : [{ label: 'Since', value: <Ago at={channel.stateAt} now={viewer.now} /> }]),
              { label: 'Waiting', value: waitingLine(channel.waiting, viewer.now) },
              { label: 'Reason', value: channel.disabledReason },
              { label: 'Kind', value: kind?.label ?? channel.kind },
              { label: 'Sends to', value: channel.target },
              { label: 'Owner', value: channel.owner ?? '' },
            ]}
            isWide
          />
          {mayDo(viewer.role, 'channel.test') ? (
            <ChannelActions
              organizationSlug={slug}
              channel={{ id: channel.id, name: channel.name, isOn: channel.state !== 'disabled' }}
              canRotate={kind?.rotate != null}
            />
          ) : null}
        </Section>
        {mayDo(viewer.role, 'channel.change') && kind !== null ? (
          <Details viewer={viewer} channel={channel} kind={kind} test={(await searchParams).test} />
        ) : null}
      </div>
    </>
  )
}

type DetailsProps = {
  viewer: Viewer
  channel: NonNullable<Awaited<ReturnType<typeof findChannel>>>
  kind: ChannelKind
  test: string | string[] | undefined
}

/** For those who can change it: the answer to a test, what was not delivered, the log and the settings. */
async function Details({ viewer, channel, kind, test }: DetailsProps) {
  const { slug } = viewer.organization
  const [deliveries, pending] = await Promise.all([
    listDeliveries(viewer, channel.id),
    listPendingMessages(viewer, channel.id),
  ])
  const titles = await titleMessages(viewer, pending)
  const tested = deliveries.find(({ id }) => String(id) === test)
  return (
    <>
      {tested === undefined ? null : (
        <Section title={`Test of ${channel.name}`} note="sent the way alerts are sent">
          <DeliveryAnswer delivery={tested} kindLabel={kind.label} />
          {tested.outcome === 'sent' ? <p className={styles.note}>{kind.note}</p> : null}
        </Section>
      )}
      {pending.length === 0 ? null : (
        <Section title="Not delivered" note="waiting to be sent, or given up">
          <PendingMessages
            messages={pending.map(({ message: _, title, ...row }) => ({
              ...row,
              title: title || (titles.get(row.id) ?? ''),
            }))}
            organizationSlug={slug}
            channelId={channel.id}
            now={viewer.now}
          />
        </Section>
      )}
      <Section title="Delivery log" note="every attempt, newest first">
        <DeliveryLog deliveries={deliveries} />
      </Section>
      <Section title="Settings">
        <ChannelForm
          organizationSlug={slug}
          kind={{ id: kind.id, label: kind.label, fields: kind.fields }}
          projects={viewer.projects.map(({ id, slug: name }) => ({ id, slug: name }))}
          channel={{ id: channel.id, name: channel.name, projectId: channel.projectId, settings: channel.settings }}
        />
      </Section>
    </>
  )
}
