/** Keys whose values are private whatever they look like: in objects, headers, attributes, cookies, query strings. */

/** Matched against the key in lower case without separators: `X-Api-Key`, `api_key` and `apiKey` are one. */
const sensitive = new RegExp(
  [
    'passw(?:or)?d|passphrase|passcode|pwd',
    'secret|credential',
    // Not "tokens", "tokenizer" or "tokencount": what language models use is counted, not hidden.
    'token(?!s|iz|count|type)',
    'api_?key|accesskey|privatekey|encryptionkey|signingkey|masterkey|signature$',
    'authorization|^(?:http)?(?:request)?(?:header)?(?:x)?auth$|sentryauth|authkey|jwt',
    'cookie|csrf|xsrf',
    'session(?:id|key|hash|data)|sessid|^sid$|connectsid',
    'creditcard|cardnumber|ccnumber|cardno$|^card$|^pan$|cvv|cvc$|securitycode|iban',
    'ssn$|socialsecurity',
  ].join('|'),
)

const separators = /[-_.\s:]/g

const cache = new Map<string, boolean>()
const cacheEntries = 20_000
/** Chars. Longer keys are data in the wrong place and would only fill the cache. */
const cachedKeyChars = 128

export function isSensitiveKey(key: string): boolean {
  const known = cache.get(key)
  if (known !== undefined) return known
  const isSensitive = sensitive.test(key.slice(0, cachedKeyChars).toLowerCase().replace(separators, ''))
  if (key.length <= cachedKeyChars) {
    if (cache.size >= cacheEntries) cache.clear()
    cache.set(key, isSensitive)
  }
  return isSensitive
}
