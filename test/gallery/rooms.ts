import { basics } from './states/basics.tsx'
import { chart, logs, releases, routes } from './states/charts.tsx'
import { event } from './states/events.tsx'
import { finding, issue, issueList, react } from './states/issues.tsx'
import { player, replay } from './states/replays.tsx'
import { keys, markdownRoom, send, snippets, time, toast } from './states/small.tsx'
import { profile, trace } from './states/traces.tsx'
import type { Room } from './states.tsx'

/** Everything that the gallery shows and that its test renders, in the order of the page. */
export const rooms: readonly Room[] = [
  basics,
  time,
  toast,
  send,
  keys,
  markdownRoom,
  snippets,
  chart,
  finding,
  issueList,
  issue,
  event,
  react,
  routes,
  releases,
  logs,
  trace,
  profile,
  replay,
  player,
]
