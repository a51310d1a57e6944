import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { maxInWindow } from '#domain/channels/delivery/candidate-channels.ts'
import { listChannels, listDeliveries } from '#domain/channels/list-channels.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { Facts, Section } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { SettingsBody } from '../settings-body.tsx'
import { ChannelTable } from './channel-table.tsx'
import { DeliveryLog } from './delivery-log.tsx'

export const metadata: Metadata = { title: 'Channels' }

export default async function ChannelsPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const { slug } = viewer.organization
  const base = `/${slug}/settings/channels`
  const mayCreate = mayDo(viewer.role, 'channel.create')
  const channels = await listChannels(viewer)
  // Answers of other servers are for those who can act on them.
  const deliveries = mayCreate ? await listDeliveries(viewer) : []
  const add = (
    <Link className="btn primary" href={`${base}/new`}>
      Add channel
    </Link>
  )
  return (
    <SettingsBody viewer={viewer} here="Channels" actions={mayCreate && channels.length > 0 ? add : null}>
      {channels.length === 0 ? (
        <div className="pane">
          <Blank title="No channels yet" actions={mayCreate ? add : undefined}>
            Alerts go to channels: email, Slack, Discord, Teams, Telegram, Google Chat, ntfy, PagerDuty or a webhook of
            your own.{mayCreate ? '' : ' Owners and admins can add one.'}
          </Blank>
        </div>
      ) : (
        <Section title="Channels" note="where messages go">
          <ChannelTable
            channels={channels}
            organizationSlug={slug}
            now={viewer.now}
            mayTest={mayDo(viewer.role, 'channel.test')}
          />
        </Section>
      )}
      {mayCreate && channels.length > 0 ? (
        <>
          <Section
            title="Delivery log"
            note="every attempt, newest first"
            actions={
              <a className="btn s" href={`${base}/export`} download>
                <Download className="i i-s" aria-hidden="true" />
                Export
              </a>
            }
          >
            <DeliveryLog deliveries={deliveries} base={base} />
          </Section>
          <Section title="Limits">
            <Facts
              facts={[
                { label: 'Per channel', value: `${maxInWindow} messages in 5 minutes, then one summary` },
                { label: 'Retries', value: 'After 10 s, 1 m, then every 5 to 15 m, for 33 hours' },
                { label: 'Mentions', value: 'Error text can’t ping anyone' },
              ]}
              isWide
            />
          </Section>
        </>
      ) : null}
    </SettingsBody>
  )
}
