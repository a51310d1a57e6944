/** Takes from CSS what would load something: imports, and URLs that are not data of an image or font. */

/** `keepsRemote`: the viewer asked to load images from the recorded site. Each step reads the text once, however it was made. */
export function sanitizeCss(css: string, keepsRemote: boolean): string {
  if (!mayLoad.test(css)) return css
  return replaceCalls(cutImports(plainNames(cutComments(css))), keepsRemote).replace(imageSet, 'none')
}

const mayLoad = /url|@import|image-set|\bsrc\(|\\/i
/** Its strings are URLs even without `url()`. */
const imageSet = /(?:-webkit-)?image-set\([^;}]*/gi

/** A comment without an end reaches to the end of the text. */
function cutComments(css: string): string {
  let kept = ''
  let from = 0
  for (let start = css.indexOf('/*'); start !== -1; start = css.indexOf('/*', from)) {
    kept += `${css.slice(from, start)} `
    const end = css.indexOf('*/', start + 2)
    from = end === -1 ? css.length : end + 2
  }
  return kept + css.slice(from)
}

const loads = new Set(['url', 'src', 'image-set', '-webkit-image-set', '@import'])
const nameCharacter = /[\w-]/
const hexDigit = /[0-9a-f]/i

/** `\75rl(` is `url(`: a name that loads is written plainly. All others stay as they are, such as selectors like `.md\:flex`. */
function plainNames(css: string): string {
  let kept = ''
  let from = 0
  for (let at = css.indexOf('\\'); at !== -1; at = css.indexOf('\\', from)) {
    let start = at
    while (start > from && nameCharacter.test(css[start - 1] ?? '')) start -= 1
    if (start > from && css[start - 1] === '@') start -= 1
    const { plain, end } = readName(css, start)
    // An escaped `@` begins no rule.
    const isLoading = loads.has(plain) && plain.startsWith('@') === (css[start] === '@')
    kept += css.slice(from, start) + (isLoading ? plain : css.slice(start, end))
    from = end
  }
  return kept + css.slice(from)
}

/** The name that begins there, in small letters and without escapes. */
function readName(css: string, start: number): { plain: string; end: number } {
  let plain = css[start] === '@' ? '@' : ''
  let end = start + plain.length
  for (; end < css.length; end++) {
    const letter = css[end] ?? ''
    if (letter !== '\\') {
      if (!nameCharacter.test(letter)) break
      plain += letter
      continue
    }
    let digits = ''
    while (digits.length < 6 && hexDigit.test(css[end + 1 + digits.length] ?? ''))
      digits += css[end + 1 + digits.length]
    if (digits === '') {
      end += 1
      plain += css[end] ?? ''
    } else {
      end += digits.length
      if (/\s/.test(css[end + 1] ?? '')) end += 1
      plain += letterOf(Number.parseInt(digits, 16))
    }
  }
  return { plain: plain.toLowerCase(), end: Math.min(end, css.length) }
}

/** The names are all ASCII. */
const letterOf = (code: number): string => (code < 0x80 ? String.fromCharCode(code) : '\ufffd')

/** ASCII letters only: others may change their length, and then places in the text would differ. */
const lowered = (css: string): string => css.replace(/[A-Z]/g, letter => letter.toLowerCase())

/** `.\@import` names a class. */
function findImport(low: string, from: number): number {
  let start = low.indexOf('@import', from)
  while (start > 0 && low[start - 1] === '\\' && low[start - 2] !== '\\') start = low.indexOf('@import', start + 1)
  return start
}

/** Each up to the end of its rule, or of the text. */
function cutImports(css: string): string {
  const low = lowered(css)
  let kept = ''
  let from = 0
  for (let start = findImport(low, 0); start !== -1; start = findImport(low, from)) {
    kept += css.slice(from, start)
    const end = css.slice(start).search(/[;}]/)
    from = end === -1 ? css.length : start + end + (css[start + end] === ';' ? 1 : 0)
  }
  return kept + css.slice(from)
}

/** Replaces `url()` and `src()` that would load something. One without an end reaches to the end of the text. */
function replaceCalls(css: string, keepsRemote: boolean): string {
  let kept = ''
  let from = 0
  for (const { index, 0: name } of lowered(css).matchAll(/url\(|\bsrc\(/g)) {
    if (index < from) continue
    const { url, end } = readCall(css, index + name.length)
    kept += css.slice(from, index) + (isKept(url, keepsRemote) ? css.slice(index, end) : 'url("data:,")')
    from = end
  }
  return kept + css.slice(from)
}

function readCall(css: string, start: number): { url: string; end: number } {
  let at = start
  while (/\s/.test(css[at] ?? '')) at += 1
  const quote = css[at]
  const closed = quote === '"' || quote === "'" ? css.indexOf(quote, at + 1) : -1
  const close = css.indexOf(')', closed === -1 ? at : closed)
  const end = close === -1 ? css.length : close + 1
  return {
    url: (closed === -1 ? css.slice(at, close === -1 ? css.length : close) : css.slice(at + 1, closed)).trim(),
    end,
  }
}

const isKept = (url: string, keepsRemote: boolean): boolean =>
  url === '' ||
  url.startsWith('#') ||
  /^data:(?:image\/|font\/|application\/(?:x-)?font)/i.test(url) ||
  (keepsRemote && /^https?:\/\//i.test(url))
