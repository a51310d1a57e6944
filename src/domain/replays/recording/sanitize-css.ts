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

/** `\75rl(` is `url(`: letters that are written as numbers become letters. Other escapes stay, they are part of selectors. */
const plainNames = (css: string): string =>
  css
    .replace(/\\([0-9a-f]{1,6})[ \t\n]?/gi, (whole, digits: string) => {
      const letter = Number.parseInt(digits, 16)
      const isLetter = letter === 0x40 || (letter >= 0x61 && letter <= 0x7a) || (letter >= 0x41 && letter <= 0x5a)
      return isLetter ? String.fromCharCode(letter) : whole
    })
    .replace(/\\([g-z@])/gi, '$1')

/** ASCII letters only: others may change their length, and then places in the text would differ. */
const lowered = (css: string): string => css.replace(/[A-Z]/g, letter => letter.toLowerCase())

/** Each up to the end of its rule, or of the text. */
function cutImports(css: string): string {
  const low = lowered(css)
  let kept = ''
  let from = 0
  for (let start = low.indexOf('@import'); start !== -1; start = low.indexOf('@import', from)) {
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
