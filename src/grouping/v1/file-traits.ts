import type { Frame } from '#protocol/event.ts'

/** What a file's name tells. A stack has few files and every event the same ones, so they are looked at once. */
type FileTraits = {
  /** Of a library, a runtime or a public CDN, whatever the SDK says: browsers call every frame the app's. */
  isForeign: boolean
  /** Nobody's: engines' own, evaluated text, and helpers of compilers that come and go with versions. */
  isRuntimeHelper: boolean
  /** A bundle whose names are made anew by every build. */
  isBundle: boolean
}

const foreign =
  /[/\\]node_modules[/\\]|^node:|^https?:\/\/(?:[\w-]+\.)*(?:unpkg\.com|cdnjs\.cloudflare\.com|cdn\.jsdelivr\.net|esm\.run)\//
const nobodys = /^(?:<anonymous>|\[native code\]|native code|eval code|\[eval\])$/
const helpers = /(?:^|\/)(?:@babel|core-js|regenerator-runtime|tslib)\/|newrelic|LogRocket/
/** Firefox's `app.js line 3 > eval`, V8's `eval at run (…)`, and `index 0` of `async Promise.all`. */
const evaluated = / > (?:eval|Function)\b|^eval at |^index \d+$/
const nextOutput = /(?:^|\/)_next\/(?:static|server)\//
const minName = /[.-]min\.[cm]?js(?:[?#]|$)/
/** `index-BkX3f_9a.js`, `main.6e3f2a1b.js`: at least one digit, so that words remain words. */
const hashedName = /^(?:https?|app):.*[-._~](?=[a-z_-]*\d)[0-9a-z_-]{7,40}\.(?:chunk\.|bundle\.)?[cm]?js(?:[?#]|$)/i

const cache = new Map<string, FileTraits>()
const cacheEntries = 5_000
/** Chars. Longer names are data. */
const maxChars = 512

export function fileTraits(file: string): FileTraits {
  const known = cache.get(file)
  if (known !== undefined) return known
  const name = file.slice(0, maxChars)
  const traits: FileTraits = {
    isForeign: foreign.test(name),
    isRuntimeHelper: nobodys.test(name) || evaluated.test(name) || helpers.test(name),
    isBundle: nextOutput.test(name) || minName.test(name) || hashedName.test(name),
  }
  if (file.length > maxChars) return traits
  if (cache.size >= cacheEntries) cache.clear()
  cache.set(file, traits)
  return traits
}

/** The file a frame lies in, '' when unknown. Frames outside an error have not been given their shape: a name may be anything. */
export function fileOf(frame: Frame): string {
  const { filename, abs_path: path } = frame
  if (typeof filename === 'string' && filename !== '') return filename
  return typeof path === 'string' ? path : ''
}

/** Columns. Nobody writes a line this long; a bundle is one. */
const maxWrittenColumn = 500

/** Whether the frame's names are made anew by every build. A source map leads a frame to a file where this is not so. */
export function isMinified(frame: Frame): boolean {
  if (typeof frame.colno === 'number' && frame.colno > maxWrittenColumn) return true
  return fileTraits(fileOf(frame)).isBundle
}

/** Changes between letters and digits: `ckl9x2f3k` is an id, `sha256` and `utf8mb4` are names. */
const minSwitches = 4

export function isRandomId(text: string): boolean {
  let switches = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind === 0) continue
    if (before !== 0 && kind !== before) switches++
    before = kind
  }
  return switches >= minSwitches
}

/** 1 digit, 2 letter, 0 neither. */
function kindOf(code: number): 0 | 1 | 2 {
  if (code >= 48 && code <= 57) return 1
  const lower = code | 32
  return lower >= 97 && lower <= 122 ? 2 : 0
}
