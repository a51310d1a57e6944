/** A preview with its newest messages drawn as the channels of the rule would show them. */
import type { Viewer } from '#domain/access/viewer.ts'
import { drawMessage } from '#domain/channels/drawing/draw-message.ts'
import type { Drawing } from '#domain/channels/drawing/drawing.ts'
import { findKind } from '#domain/channels/kinds/list.ts'
import { drawPreviewed } from './build-message.ts'
import type { LanePreview, PreviewMessage, RulePreview } from './preview-rule.ts'

/** Each needs its event and counts; the older ones are listed. */
const maxDrawn = 10
const maxChannels = 8

export type DrawnMessage = Omit<PreviewMessage, 'stored' | 'incident'> & {
  /** By channel; empty for an older message. */
  drawings: { channelId: number; drawing: Drawing }[]
}
export type DrawnLane = Omit<LanePreview, 'messages'> & { messages: DrawnMessage[] }
export type DrawnPreview = {
  stepMs: number
  blindMs: number
  lanes: DrawnLane[]
  channels: { id: number; name: string; kind: string; label: string }[]
}

type Options = { channelIds: readonly number[]; name: string; publicUrl: string; mailFrom: string }

export async function drawPreview(
  viewer: Viewer,
  { lanes, stepMs, blindMs }: RulePreview,
  { channelIds, name, publicUrl, mailFrom }: Options,
): Promise<DrawnPreview> {
  const channels = await viewer.control
    .channels()
    .select(['channel.id', 'channel.name', 'channel.kind', 'channel.config'])
    .where('channel.id', 'in', [0, ...channelIds])
    .orderBy('channel.name')
    .limit(maxChannels)
    .execute()
  const { slug } = viewer.organization
  const rule = { id: 0, name: name || 'New rule', url: `${publicUrl}/${slug}/alerts` }
  const reader = { publicUrl, now: viewer.now, from: mailFrom, to: viewer.user.email }
  const draw = async (
    { channelIds: own }: LanePreview,
    message: PreviewMessage,
    index: number,
  ): Promise<DrawnMessage['drawings']> => {
    if (channels.length === 0 || index >= maxDrawn) return []
    const incident = message.incident && { ...message.incident, name: message.incident.name || rule.name }
    const built = await drawPreviewed({ viewer, publicUrl }, message.stored, { id: `preview-${index}`, rule, incident })
    return channels
      .filter(({ id }) => own.includes(id))
      .flatMap(channel => {
        const drawing = built && drawMessage(channel, built, reader)
        return drawing === null ? [] : [{ channelId: channel.id, drawing }]
      })
  }
  const drawLane = async (lane: LanePreview): Promise<DrawnLane> => ({
    ...lane,
    messages: await Promise.all(
      lane.messages.map(async (message, index) => {
        const { stored: _, incident: __, ...shown } = message
        return { ...shown, drawings: await draw(lane, message, index) }
      }),
    ),
  })
  return {
    stepMs,
    blindMs,
    channels: channels.map(({ id, name: title, kind }) => ({
      id,
      kind,
      name: title,
      label: findKind(kind)?.label ?? kind,
    })),
    lanes: await Promise.all(lanes.map(drawLane)),
  }
}
