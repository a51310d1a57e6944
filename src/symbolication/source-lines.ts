import { limits } from './limits.ts'

/** The lines of a source by number, without an array of all lines. */
export type SourceLines = {
  count: number
  /** From 0, without line break; '' out of range. */
  line(index: number): string
}

export function sourceLines(text: string): SourceLines {
  const starts: number[] = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return {
    count: starts.length,
    line: index => {
      const start = starts[index]
      if (start === undefined) return ''
      const end = starts[index + 1] ?? text.length + 1
      return text.slice(start, text.charCodeAt(end - 2) === 13 ? end - 2 : end - 1)
    },
  }
}

type Context = { before: string[]; line: string; after: string[] }

/** The line and its neighbors; null if the source has no such line. `line` counts from 1, `column` from 0. */
export function contextOf(source: SourceLines, line: number, column: number): Context | null {
  if (line > source.count) return null
  const at = line - 1
  const from = Math.max(0, at - limits.contextLines)
  const to = Math.min(source.count - 1, at + limits.contextLines)
  const before: string[] = []
  const after: string[] = []
  for (let index = from; index < at; index++) before.push(clip(source.line(index), 0))
  for (let index = at + 1; index <= to; index++) after.push(clip(source.line(index), 0))
  return { before, line: clip(source.line(at), column), after }
}

/** `{snip}` is what SDKs write, and grouping recognizes it. */
function clip(line: string, column: number): string {
  if (line.length <= limits.lineChars) return copyOf(line)
  const start = Math.max(0, Math.min(column - limits.lineChars / 2, line.length - limits.lineChars))
  const head = start > 0 ? '{snip} ' : ''
  const tail = start + limits.lineChars < line.length ? ' {snip}' : ''
  return copyOf(`${head}${line.slice(start, start + limits.lineChars)}${tail}`)
}

/** A slice would keep the whole source in memory as long as the frame is cached. */
const copyOf = (text: string): string => Buffer.from(text).toString()

/** `webpack://_N_E/./app/page.tsx?4a2b`, `turbopack:///[project]/app/page.tsx`, `file:///srv/app/page.tsx`. */
const scheme = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*\/)?/i
const projectRoot = /^\[project\]\//
const loaderHash = /\?[0-9a-f]{4,}$/
const climbing = /^(?:\.{1,2}\/)+/
/** Folders before node_modules differ between build machines. */
const dependency = /^.*\/(?=node_modules\/)/

/** The path of a source in its project: without scheme, folders above the project and loader hashes. */
export function sourcePath(source: string): string {
  const plain = source.replace(scheme, '').replace(loaderHash, '').replace(projectRoot, '').replace(climbing, '')
  const path = decodePath(plain).replace(dependency, '')
  return path === '' ? source : path
}

/** Code of packages, bundler runtimes and framework builds. */
const foreign =
  /(?:^|\/)node_modules\/|^node:|(?:^|\/)(?:webpack|turbopack|rspack|vite)\/(?:runtime|bootstrap|startup|before-startup|container|preload-helper)|(?:^|\/)\[(?:turbopack|next|externals)\]|(?:^|\/)next\/(?:dist|src)\/|^(?:external |ignored\||\(webpack\))|^\0|^(?:webpack|turbopack)\/universalModuleDefinition/

/** Whether a source is in-app, by its name in the map and by its path. */
export function isAppSource(source: string, path: string): boolean {
  return !foreign.test(path) && !foreign.test(source.replace(/^[a-z]+:\/\/\/?/, ''))
}

/** Decodes URL escapes; returns the path unchanged if they are invalid. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
