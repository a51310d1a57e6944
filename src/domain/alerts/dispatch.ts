/**
 * From what matched to what is sent: at most once per issue and interval, cascades as one, held back in quiet hours, and a burst
 * collected into one message. Runs in the transaction that moves the cursor, so that each message exists once whatever is killed, and over
 * the past for a preview.
 */
import { gatherCascades } from './cascades.ts'
import { collectMs, deployCollectMs, deployKey } from './collect.ts'
import { type Lane, lanesOf, type Sending, singleKey, type Target } from './lanes.ts'
import { leaveOutRepeats } from './leave-out-repeats.ts'
import { quietUntil } from './quiet-hours.ts'
import { isEnd, type SingleMessage, standsAlone, subjectKeyOf } from './stored-message.ts'

/** Sends or holds the messages of one target, in their order. */
export async function dispatch(sending: Sending, target: Target, given: readonly SingleMessage[]): Promise<void> {
  const messages = target.kind === 'rule' ? await leaveOutRepeats(sending, target.rule, given) : given
  for (const lane of lanesOf(target)) await dispatchTo(sending, lane, messages)
}

async function dispatchTo(sending: Sending, lane: Lane, messages: readonly SingleMessage[]): Promise<void> {
  const { memory, nowMs, traces = new Map() } = sending
  const { target } = lane
  const config = target.kind === 'rule' ? target.rule.config : null
  const quietEnd = config?.quiet ? quietUntil(config.quiet, nowMs) : null
  const isUrgent = (message: SingleMessage): boolean =>
    (lane.isPager && isEnd(message)) ||
    standsAlone(message) ||
    (quietEnd === null ? message.kind === 'incident' : isLoud(message))
  const ended = messages.filter(isEnd).map(subjectKeyOf)
  // A pager that is told of a beginning after its end would never close it.
  if (lane.isPager && ended.length > 0) await memory.dropHeld(lane.key, new Set(ended))
  for (const message of messages.filter(isUrgent)) await memory.send(lane, message, singleKey(lane, message))
  const isOver = (message: SingleMessage, index: number): boolean =>
    lane.isPager &&
    messages.slice(index + 1).some(later => isEnd(later) && subjectKeyOf(later) === subjectKeyOf(message))
  const rest = gatherCascades(
    messages.filter((message, index) => !isUrgent(message) && !isOver(message, index)),
    traces,
    { isWithinProject: config?.followsSettings === true, namesAll: lane.isPager },
  )
  if (quietEnd !== null) {
    if (rest.length === 0) return
    await memory.openBurst(lane.key, quietEnd)
    return memory.hold(lane.key, rest)
  }
  const [now, ...later] = target.kind === 'rule' ? await holdBehindDeploys(sending, lane, rest) : rest
  if (now === undefined) return
  if (await memory.openBurst(lane.key, nowMs + collectMs)) return memory.hold(lane.key, [now, ...later])
  await memory.send(lane, now, singleKey(lane, now))
  if (later.length > 0) await memory.hold(lane.key, later)
}

/** After the first message about a deploy, others about it can wait for each other a little longer. Gives those that cannot. */
async function holdBehindDeploys(
  { memory, nowMs }: Sending,
  { key }: Lane,
  messages: readonly SingleMessage[],
): Promise<SingleMessage[]> {
  const prompt: SingleMessage[] = []
  for (const message of messages) {
    const deploy = message.kind === 'issue' ? (message.deploy ?? '') : ''
    const lane = deploy === '' || message.severity === 'critical' ? null : deployKey(key, deploy)
    const isKnown = lane !== null && (await memory.openBurst(lane, nowMs + deployCollectMs))
    if (isKnown) await memory.hold(lane, [message])
    else prompt.push(message)
  }
  return prompt
}

/** What goes out in quiet hours too. */
const isLoud = ({ severity, type }: SingleMessage): boolean => severity === 'critical' || type === 'incident.closed'
