/** Which parts of a word with digits are values: `worker-3`, `img_3f26`, `user42`. */

import { isRandomId, switchesOf } from '../v1/file-traits.ts'

/** Names that have digits in them. */
const technicalNames = new RegExp(
  `^(?:${[
    'utf-?(?:8|16|32)(?:mb[34])?',
    'ucs-?2',
    'latin-?1',
    'iso-?8859(?:-\\d{1,2})?',
    'sha-?(?:1|2|3|224|256|384|512)',
    'md[45]',
    'aes-?\\d{3}(?:-[a-z]{3})?',
    '(?:rs|es|hs|ps)(?:256|384|512)',
    '(?:ed|x)25519',
    'base-?(?:32|58|62|64)(?:url)?',
    'h[1-6]',
    'es(?:\\d|20\\d\\d)',
    'http-?[123]',
    'ipv?[46]',
    '(?:oauth|saml|auth|tls|ssl|web|v)-?[0-9]',
    's3|ec2|r2|d1|k8s|i18n|l10n|a11y|p2p|b2b|2fa|[23]d|neo4j|log4j2?',
    'x86(?:[_-]64)?|x64|amd64|arm(?:64|v[678])|win(?:32|64)',
    'mp[34]|m4[av]|h26[45]',
    '(?:[iuf]|u?int|float|big-?u?int)(?:8|16|32|64|128)',
  ].join('|')})$`,
  'i',
)

export const isTechnicalName = (word: string): boolean => technicalNames.test(word)

/** `cus_NffrFeUfNV2Hib`, `order-3f26a91c-x7`. */
const kindOfId = /^[a-z]{2,16}[_-]/
const separators = /([_-])/
const value = '<value>'

/** `ORA-00001`, `ERR-1001`: another code is another bug. */
const vendorCode = /^(?:ORA|PLS|TNS|RMAN|SQL|DB|ERR|ERROR|CODE|HTTP|CVE)-\d/
/** `SPRING-2024-AB12` and `ABC-1234-XL`, but not `ABC-1234`, where the letters name the kind. */
const capitalsAndDigits = /^[A-Z0-9]{1,32}(?:-[A-Z0-9]{1,32}){2,6}$/

/** The word with each value in it replaced. Neighbors become one: `2024-0042` is a number with a year in it. */
export function withoutValues(word: string): string {
  if (isTechnicalName(word) || vendorCode.test(word)) return word
  if ((capitalsAndDigits.test(word) && hasDigit.test(word)) || isScrambled(word)) return value
  if (word.length >= 6 && isRandomId(word)) return (kindOfId.exec(word)?.[0] ?? '') + value
  const parts = word.split(separators)
  let text = ''
  for (let at = 0; at < parts.length; at += 2) {
    const separator = at === 0 ? '' : (parts[at - 1] ?? '')
    const part = replacePart(parts[at] ?? '', separator)
    text = part === value && text.endsWith(value) ? text : text + separator + part
  }
  return text
}

const hasDigit = /\d/
const hex = /^(?:0x)?[0-9a-f]{1,128}$/i
const onlyDigits = /^\d{1,128}$/
const hexWord = /^[a-f]{8,128}$/i
/** `user42`. After capitals it is a code: `E11000`, `TS2345`. One digit may be part of a name, as in `address2`. */
const numbered = /[a-z]\d{2,128}$/
/** Of these there are many, so that one digit is a number, too. */
const oneOfMany =
  /^(?:worker|user|customer|tenant|client|session|node|host|server|srv|pod|shard|replica|instance|thread|gpu|cpu|eth|disk|queue|job|task|partition|broker|order|item|img|image|row|slot)\d$/i
/** `640x480`. */
const dimensions = /^\d{1,9}(?:x\d{1,9}){1,2}$/i
/** `91bc`. `2fa` and `3d` are too short to be random. */
const hexFromDigit = /^\d[0-9a-f]{3,128}$/i
/** `120px`, `1080p`, `21st`. `2D` and `3x` are names. */
const withUnit = /^\d{2,128}([a-z]{1,32})$/i
/** `report_v3`. Alone, `v1` and `v2` are names of APIs. */
const version = /^v\d{1,9}$/i
const ordinal = /^\d{1,9}(?:st|nd|rd|th)$/i

function replacePart(part: string, separator: string): string {
  if (!hasDigit.test(part)) return hexWord.test(part) ? value : part
  if (onlyDigits.test(part) || ordinal.test(part) || dimensions.test(part)) return value
  if (separator !== '' && version.test(part)) return `v${value}`
  if (isTechnicalName(part)) return part
  if (isId(part, separator)) return value
  if (numbered.test(part) || oneOfMany.test(part)) return part.replace(/\d{1,128}$/, value)
  return part.replace(withUnit, `${value}$1`)
}

const hasUpperAndLower = /[a-z].{0,127}[A-Z]|[A-Z].{0,127}[a-z]/

function isId(part: string, separator: string): boolean {
  const switches = switchesOf(part)
  if (hexFromDigit.test(part)) return true
  if (hex.test(part) && (part.length >= 7 || (part.length >= 4 && switches >= 2))) return true
  if (part.length >= 6 && switches >= 3) return true
  // An id after the name of its kind.
  return separator === '_' && part.length >= 10 && hasUpperAndLower.test(part)
}

const lettersAndDigits = /^(?=[^\d]{0,128}\d)(?=[^A-Z]{0,128}[A-Z])[A-Za-z0-9]{8,128}$/
const humps = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|\d+/g

/** `k9Mtd2gDcgG`. The parts of a name are longer: `getBase64Url`. */
function isScrambled(word: string): boolean {
  if (!lettersAndDigits.test(word)) return false
  const parts = word.match(humps)?.length ?? 1
  return parts >= 5 && word.length / parts <= 2.2
}
