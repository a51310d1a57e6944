/** The formats of other tools. */
import type { CutProfile } from './cut-profile.ts'

export const exportFormats = ['speedscope', 'chrome'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportProfile = (profile: CutProfile, name: string, format: ExportFormat): object =>
  format === 'speedscope' ? toSpeedscope(profile, name) : toChrome(profile)

/** https://www.speedscope.app: samples with weights, the outermost frame first. */
function toSpeedscope({ frames, slices }: CutProfile, name: string): object {
  const last = slices.at(-1)
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'hydrant',
    name,
    shared: { frames: frames.map(({ name: each, file, line, column }) => ({ name: each, file, line, col: column })) },
    profiles: [
      {
        type: 'sampled',
        name,
        unit: 'milliseconds',
        startValue: 0,
        endValue: last === undefined ? 0 : last.startMs + last.durationMs,
        samples: slices.map(({ stack }) => stack),
        weights: slices.map(({ durationMs }) => durationMs),
      },
    ],
  }
}

type Node = {
  id: number
  callFrame: { functionName: string; scriptId: string; url: string; lineNumber: number; columnNumber: number }
  hitCount: number
  children: number[]
}

/** A `.cpuprofile`, for the developer tools of Chrome and for editors: a tree, samples of its nodes, and microseconds between them. */
function toChrome({ frames, slices }: CutProfile): object {
  const nodes: Node[] = []
  const add = (frame: number): Node => {
    const { name = '(root)', file = '', line = 0, column = 0 } = frames[frame] ?? {}
    const callFrame = { functionName: name, scriptId: '0', url: file, lineNumber: line - 1, columnNumber: column - 1 }
    const node = { id: nodes.length + 1, callFrame, hitCount: 0, children: [] }
    nodes.push(node)
    return node
  }
  const root = add(-1)
  const known = new Map<string, Node>()
  let before = 0
  const samples = slices.map(({ stack }) => {
    let node = root
    for (const frame of stack) {
      const key = `${node.id} ${frame}`
      const child = known.get(key) ?? add(frame)
      if (!known.has(key)) node.children.push(child.id)
      known.set(key, child)
      node = child
    }
    node.hitCount++
    return node.id
  })
  const timeDeltas = slices.map(({ startMs }) => {
    const delta = Math.round((startMs - before) * 1_000)
    before = startMs
    return delta
  })
  const last = slices.at(-1)
  const endTime = last === undefined ? 0 : Math.round((last.startMs + last.durationMs) * 1_000)
  return { nodes, startTime: 0, endTime, samples, timeDeltas }
}
