/** Takes from CSS what would load something: imports, and URLs that are not data of an image or font. */

/** `keepsRemote`: the viewer asked to load images from the recorded site. */
export function sanitizeCss(css: string, keepsRemote: boolean): string {
  if (!mayLoad.test(css)) return css
  return plainNames(css)
    .replace(importRule, '')
    .replace(urlCall, (whole: string, quoted: string | undefined, bare: string | undefined) =>
      isKept((quoted?.slice(1, -1) ?? bare ?? '').trim(), keepsRemote) ? whole : 'url("data:,")',
    )
    .replace(imageSet, 'none')
}

const mayLoad = /url|@import|image-set|\bsrc\(|\\/i
/** Up to the end of the rule, or of the text. */
const importRule = /@import\b[^;}]*(?:;|(?=\})|$)/gi
const urlCall = /(?:url|\bsrc)\(\s*(?:("[^"\n]*"|'[^'\n]*')|([^)"'\n]*))[^)\n]*(?:\)|$)/gim
/** Its strings are URLs even without `url()`. */
const imageSet = /(?:-webkit-)?image-set\([^;}]*/gi

/** `\75rl(` is `url(`: letters that are written as numbers become letters. Other escapes stay, they are part of selectors. */
const plainNames = (css: string): string =>
  css
    .replace(/\/\*[\s\S]{0,100000}?\*\//g, ' ')
    .replace(/\\([0-9a-f]{1,6})[ \t\n]?/gi, (whole, digits: string) => {
      const letter = Number.parseInt(digits, 16)
      const isLetter = letter === 0x40 || (letter >= 0x61 && letter <= 0x7a) || (letter >= 0x41 && letter <= 0x5a)
      return isLetter ? String.fromCharCode(letter) : whole
    })
    .replace(/\\([g-z@])/gi, '$1')

const isKept = (url: string, keepsRemote: boolean): boolean =>
  url === '' ||
  url.startsWith('#') ||
  /^data:(?:image\/|font\/|application\/(?:x-)?font)/i.test(url) ||
  (keepsRemote && /^https?:\/\//i.test(url))
