import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { channelKinds, findKind } from '#domain/channels/kinds/list.ts'
import { getRuntime } from '#runtime.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { ChannelForm } from '../channel-form.tsx'
import styles from '../channels.module.css'

export const metadata: Metadata = { title: 'New channel' }

type Props = { params: Promise<{ org: string }>; searchParams: Promise<{ kind?: string | string[] }> }

export default async function NewChannelPage({ params, searchParams }: Props) {
  const viewer = await requireViewer((await params).org)
  const { kind: chosen } = await searchParams
  const { slug } = viewer.organization
  const base = `/${slug}/settings/channels`
  const kind = typeof chosen === 'string' ? findKind(chosen) : null
  const stops = [
    { href: `/${slug}/settings`, label: 'Settings' },
    { href: base, label: 'Channels' },
  ]
  return (
    <>
      <TopBar>
        <h1 className="sr">New channel</h1>
        <Trail
          stops={kind === null ? stops : [...stops, { href: `${base}/new`, label: 'New channel' }]}
          here={kind === null ? 'New channel' : kind.label}
        />
      </TopBar>
      <div className="page-body">
        {mayDo(viewer.role, 'channel.create') ? (
          kind === null ? (
            <Section title="Where should alerts go?">
              <ul className={styles.kinds}>
                {channelKinds.map(({ id, label, summary }) => (
                  <li key={id}>
                    <Link href={`${base}/new?kind=${id}`}>
                      <b>{label}</b>
                      <small>{summary}</small>
                    </Link>
                  </li>
                ))}
              </ul>
            </Section>
          ) : (
            <Section title={kind.label} note={kind.summary}>
              {kind.id === 'email' && getRuntime().mailer === null ? (
                <Notice kind="warning">
                  Mail is not set up, so this channel can’t deliver yet. The operator sets SMTP_URL.
                </Notice>
              ) : null}
              <ChannelForm
                organizationSlug={slug}
                kind={{ id: kind.id, label: kind.label, fields: kind.fields }}
                projects={viewer.projects.map(({ id, slug: name }) => ({ id, slug: name }))}
              />
            </Section>
          )
        ) : (
          <div className="pane">
            <Blank title="Only owners and admins can add channels">Ask one of them to add it.</Blank>
          </div>
        )}
      </div>
    </>
  )
}
