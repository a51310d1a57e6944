import Bowser from 'bowser'
import { LRUCache } from 'lru-cache'

type Client = {
  browserName: string
  browserVersion: string
  osName: string
  osVersion: string
  device: string
  /** desktop, mobile, tablet, bot, … */
  deviceType: string
}

const unknownClient: Client = {
  browserName: '',
  browserVersion: '',
  osName: '',
  osVersion: '',
  device: '',
  deviceType: '',
}

/** Parsing takes about 20 µs, and the users of an app have a few hundred user agents. */
const cache = new LRUCache<string, Client>({ max: 2_000 })
/** Real ones are shorter than 300; longer ones attack the parser's patterns. */
const maxChars = 512

/** Fields are empty for anything but a browser. */
export function readUserAgent(userAgent: string): Client {
  if (!userAgent.startsWith('Mozilla/') && !userAgent.startsWith('Opera')) return unknownClient
  const key = userAgent.length > maxChars ? userAgent.slice(0, maxChars) : userAgent
  const known = cache.get(key)
  if (known !== undefined) return known
  const client = parse(key)
  cache.set(key, client)
  return client
}

/** Browsers send these for all later versions too: Safari and Chrome on macOS, Firefox on macOS, Windows 11, Chrome on Android. */
const frozen: Record<string, RegExp> = {
  macOS: /Mac OS X 10[._]15(?:[._]7)?[;)]/,
  Windows: /Windows NT 10\.0[;)]/,
  Android: /Android 10; K\)/,
}

/** `>=10.15.7` for a version that later ones send too. Only Windows has names that are versions: NT 6.1 is 7. */
function osVersionOf(
  { name = '', version = '', versionName = '' }: Bowser.Parser.OSDetails,
  userAgent: string,
): string {
  const plain = name === 'Windows' ? versionName || version : version
  return plain !== '' && frozen[name]?.test(userAgent) === true ? `>=${plain}` : plain
}

function parse(userAgent: string): Client {
  const { browser, os, platform } = Bowser.parse(userAgent)
  return {
    browserName: browser.name ?? '',
    browserVersion: browser.version ?? '',
    osName: os.name ?? '',
    osVersion: osVersionOf(os, userAgent),
    device: [platform.vendor, platform.model].filter(Boolean).join(' ') || (platform.type ?? ''),
    deviceType: platform.type ?? '',
  }
}
