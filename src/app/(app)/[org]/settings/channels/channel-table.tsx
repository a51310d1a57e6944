'use client'
import type { ListedChannel } from '#domain/channels/list-channels.ts'
import { SubmitButton } from '#ui/buttons.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatCount, formatDuration } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { sendTest } from './actions.ts'
import { ChannelState, channelLine } from './channel-state.tsx'
import styles from './channels.module.css'

type Props = { channels: ListedChannel[]; organizationSlug: string; now: number; mayTest: boolean }

export function ChannelTable({ channels, organizationSlug, now, mayTest }: Props) {
  const [state, action] = useAction(sendTest, idle)
  return (
    <>
      <DataTable
        label="Channels"
        columns={[
          'State',
          'Channel',
          'Kind',
          numeric('Sent, 14 d'),
          numeric('Average'),
          numeric('Waiting'),
          numeric('Given up'),
          { label: 'Actions', isHidden: true },
        ]}
      >
        {channels.map(channel => (
          <tr key={channel.id}>
            <td>
              <ChannelState condition={channel.condition} />
            </td>
            <td>
              <div className={styles.two}>
                <Link className="strong" href={`/${organizationSlug}/settings/channels/${channel.id}`}>
                  {channel.name}
                </Link>
                <small>{channelLine(channel, now)}</small>
              </div>
            </td>
            <td className="t2">{channel.kindLabel}</td>
            <td className="num">{formatCount(channel.sent)}</td>
            <td className="num t2">{channel.latencyMs === null ? '–' : formatDuration(channel.latencyMs * 1_000)}</td>
            <td className="num">{channel.waiting.count === 0 ? '–' : formatCount(channel.waiting.count)}</td>
            <td className="num">{channel.dead === 0 ? '–' : formatCount(channel.dead)}</td>
            <td>
              {mayTest ? (
                <ActionForm action={action} className="row-acts">
                  <input type="hidden" name="org" value={organizationSlug} />
                  <input type="hidden" name="channel" value={channel.id} />
                  <SubmitButton look="s">
                    Send a test<span className="sr"> to {channel.name}</span>
                  </SubmitButton>
                </ActionForm>
              ) : null}
            </td>
          </tr>
        ))}
      </DataTable>
      <ActionToast state={state} />
    </>
  )
}
