import { shorten } from '../shorten.ts'
import type { FrameView } from './event-view.ts'

const maxNames = 4

/** Which packages a run of framework frames belongs to, for the line that stands for it. */
export function packageNames(frames: FrameView[]): string {
  const names = new Set(frames.map(({ path }) => packageOf(path)).filter(Boolean))
  return shorten([...names].slice(0, maxNames).join(', '), 120)
}

function packageOf(path: string): string {
  const inside = path.split('node_modules/').at(-1) ?? ''
  if (inside !== path) return /^(?:@[^/]+\/)?[^/]+/.exec(inside)?.[0] ?? ''
  return path.startsWith('node:') ? path : ''
}
