import type { Frame } from '#protocol/event.ts'

/** Traits of a file, derived from its name. Cached, because events share a small set of files. */
type FileTraits = {
  /** A library, a runtime or a public CDN. SDKs in browsers mark every frame as in-app, so `in_app` is not enough. */
  isForeign: boolean
  /** Engine internals, eval, and compiler helpers, which change with versions. */
  isRuntimeHelper: boolean
  /** A bundle, whose names change with every build. */
  isBundle: boolean
}

const foreign =
  /[/\\]node_modules[/\\]|^node:|^https?:\/\/(?:[\w-]+\.)*(?:unpkg\.com|cdnjs\.cloudflare\.com|cdn\.jsdelivr\.net|esm\.run)\//
const engineFile = /^(?:<anonymous>|\[native code\]|native code|eval code|\[eval\])$/
const helpers = /(?:^|\/)(?:@babel|core-js|regenerator-runtime|tslib)\/|newrelic|LogRocket/
/** Firefox's `app.js line 3 > eval`, V8's `eval at run (…)`, and `index 0` of `async Promise.all`. */
const evaluated = / > (?:eval|Function)\b|^eval at |^index \d+$/
const nextOutput = /(?:^|\/)_next\/(?:static|server)\//
const minName = /[.-]min\.[cm]?js(?:[?#]|$)/
/** `index-BkX3f_9a.js`, `main.6e3f2a1b.js`: at least one digit, so that plain words don't match. */
const hashedName = /^(?:https?|app):.*[-._~](?=[a-z_-]*\d)[0-9a-z_-]{7,40}\.(?:chunk\.|bundle\.)?[cm]?js(?:[?#]|$)/i

const cache = new Map<string, FileTraits>()
const cacheEntries = 5_000
/** Chars. Longer names are data URLs and the like. */
const maxChars = 512

export function fileTraits(file: string): FileTraits {
  const known = cache.get(file)
  if (known !== undefined) return known
  const name = file.slice(0, maxChars)
  const traits: FileTraits = {
    isForeign: foreign.test(name),
    isRuntimeHelper: engineFile.test(name) || evaluated.test(name) || helpers.test(name),
    isBundle: nextOutput.test(name) || minName.test(name) || hashedName.test(name),
  }
  if (file.length > maxChars) return traits
  if (cache.size >= cacheEntries) cache.clear()
  cache.set(file, traits)
  return traits
}

/** The file of a frame; '' if unknown. Frames outside of exceptions are not normalized, so a name may have any type. */
export function fileOf(frame: Frame): string {
  const { filename, abs_path: path } = frame
  if (typeof filename === 'string' && filename !== '') return filename
  return typeof path === 'string' ? path : ''
}

/** Columns. Longer lines are bundles, not written code. */
const maxWrittenColumn = 500

/** Whether the frame's names change with every build. Frames that were mapped to their source are not minified. */
export function isMinified(frame: Frame): boolean {
  if (typeof frame.colno === 'number' && frame.colno > maxWrittenColumn) return true
  return fileTraits(fileOf(frame)).isBundle
}

/** Switches between letters and digits: `ckl9x2f3k` is an id, `sha256` and `utf8mb4` are names. */
const minSwitches = 4

export const isRandomId = (text: string): boolean => switchesOf(text) >= minSwitches

/** How often letters and digits alternate. Names have few of them. */
export function switchesOf(text: string): number {
  let switches = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind === 0) continue
    if (before !== 0 && kind !== before) switches++
    before = kind
  }
  return switches
}

/** 1 digit, 2 letter, 0 neither. */
function kindOf(code: number): 0 | 1 | 2 {
  if (code >= 48 && code <= 57) return 1
  const lower = code | 32
  return lower >= 97 && lower <= 122 ? 2 : 0
}
