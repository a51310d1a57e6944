/** What a file's name tells. A stack has few files and every event the same ones, so they are looked at once. */
export type FileTraits = {
  /** Of a library, a runtime or a public CDN, whatever the SDK says: browsers call every frame the app's. */
  isForeign: boolean
  /** Nobody's: engines' own, evaluated text, and helpers of compilers that come and go with versions. */
  isPlumbing: boolean
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
    isPlumbing: nobodys.test(name) || evaluated.test(name) || helpers.test(name),
    isBundle: nextOutput.test(name) || minName.test(name) || hashedName.test(name),
  }
  if (file.length > maxChars) return traits
  if (cache.size >= cacheEntries) cache.clear()
  cache.set(file, traits)
  return traits
}
