/** Keys whose values are always private: in objects, headers, attributes, cookies and query strings. */
/** Matched against the key in lower case without separators: `X-Api-Key`, `api_key` and `apiKey` are the same. */
const sensitive = new RegExp(
  [
    'passw(?:or)?d|passphrase|passcode|pwd',
    'secret|credential',
    // Not "tokens", "tokenizer" or "tokencount": those are usage counts of language models.
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
/** Longer keys are usually data and would only fill the cache. */
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
