/**
 * The routes that stream or download. A stream stays open for minutes, and a download for as long as its client reads, so neither may take a
 * page slot. `test/route-lanes.test.ts` searches the code for such routes and compares them with this table.
 */
export const routeLanes: Readonly<Record<string, 'stream' | 'download'>> = {
  '/api/live': 'stream',
  '/[org]/logs/tail': 'stream',

  '/[org]/issues/[issueId]/events/[eventId]/pictures/[attachment]': 'download',
  '/[org]/issues/[issueId]/events/[eventId]/attachments/[attachment]': 'download',
  '/[org]/issues/[issueId]/events/[eventId]/json': 'download',
  '/[org]/logs/export': 'download',
  '/[org]/replays/[replayId]/recording': 'download',
  '/[org]/settings/audit/export': 'download',
  '/[org]/settings/channels/export': 'download',
  '/[org]/settings/privacy/erasures/[erasureId]': 'download',
  '/[org]/traces/[traceId]/spans/[spanId]/profile/[format]': 'download',
  '/api/0/projects/[org]/[project]/events/[event]/attachments/[attachment]': 'download',
  '/api/0/projects/[org]/[project]/replays/[replay]/recording-segments': 'download',
}

type Node = { lane?: 'stream' | 'download'; children: Map<string, Node> }

/** Any segment of a path. */
const anything = '*'

const tree: Node = { children: new Map() }
for (const [pattern, lane] of Object.entries(routeLanes)) {
  let node = tree
  for (const segment of pattern.split('/').filter(Boolean)) {
    const name = segment.startsWith('[') ? anything : segment
    const next: Node = node.children.get(name) ?? { children: new Map() }
    node.children.set(name, next)
    node = next
  }
  node.lane = lane
}

/** Of a request target, however it is spelled. */
export function findRouteLane(target: string): 'stream' | 'download' | null {
  const path = URL.parse(target, 'http://hydrant')?.pathname ?? ''
  const segments = path.split('/').filter(Boolean).map(decode)
  return findLane(tree, segments)
}

function findLane(node: Node, [segment, ...rest]: readonly string[]): 'stream' | 'download' | null {
  if (segment === undefined) return node.lane ?? null
  for (const name of [segment, anything]) {
    const next = node.children.get(name)
    const lane = next === undefined ? null : findLane(next, rest)
    if (lane !== null) return lane
  }
  return null
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
