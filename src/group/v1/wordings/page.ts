import type { Failure } from './failure.ts'

/** What the document, the storage and React say. */
export const pageFailures: readonly Failure[] = [
  {
    // One mismatch makes React 18 report three of these at once.
    says: 'server and browser rendered different content',
    type: 'HydrationError',
    tells: 'kind',
    wordings: [
      /^Minified React error #(?:418|422|423|425)\b/,
      /^Hydration failed because /,
      /^Text content does not match server-rendered HTML/,
      /^There was an error while hydrating/,
    ],
  },
  {
    says: 'server could not finish rendering',
    type: 'ServerRenderError',
    tells: 'kind',
    wordings: [
      /^Minified React error #(?:419|441)\b/,
      /^The server could not finish this Suspense boundary/,
      /^An error occurred in the Server Components render/,
    ],
  },
  { says: 'React error #{code}', tells: 'kind', wordings: [/^Minified React error #(?<code>\d{1,4})\b/] },
  {
    says: 'a node is not where it was put',
    onlyTypes: ['NotFoundError', 'DOMException', 'Error'],
    type: 'NotFoundError',
    tells: 'kind',
    wordings: [
      /^(?:NotFoundError: )?Failed to execute '(?:removeChild|insertBefore|replaceChild)' on 'Node': /,
      /^(?:NotFoundError: )?Node\.(?:removeChild|insertBefore|replaceChild): /,
      /^(?:NotFoundError: )?The object can not be found here\.$/,
    ],
  },
  {
    says: 'storage is full',
    onlyTypes: [
      'QuotaExceededError',
      'NS_ERROR_DOM_QUOTA_REACHED',
      'NS_ERROR_FILE_NO_DEVICE_SPACE',
      'DOMException',
      'Error',
    ],
    type: 'QuotaExceededError',
    tells: 'kind',
    wordings: [
      /^(?:QuotaExceededError: )?Failed to execute 'setItem' on 'Storage': .* exceeded the quota\.$/s,
      /^(?:QuotaExceededError: )?(?:The quota has been exceeded|The current transaction exceeded its quota limitations)\.$/,
      /^(?:Persistent storage maximum size reached|NS_ERROR_DOM_QUOTA_REACHED)/,
    ],
  },
  {
    says: 'storage may not be used',
    onlyTypes: ['SecurityError', 'DOMException', 'Error'],
    type: 'SecurityError',
    tells: 'kind',
    wordings: [
      /^(?:SecurityError: )?Failed to read the '(?:localStorage|sessionStorage|indexedDB|cookie)' property from /,
      /^(?:SecurityError: )?The operation is insecure\.$/,
    ],
  },
  {
    says: 'ResizeObserver loop',
    tells: 'all',
    wordings: [/^ResizeObserver loop (?:limit exceeded|completed with undelivered notifications\.?)$/],
  },
  { says: 'error in a script of another origin', tells: 'all', wordings: [/^Script error\.?$/] },
  {
    says: 'something that is no error was thrown: {keys}',
    tells: 'kind',
    wordings: [
      /^(?:Non-Error )?(?:exception|promise rejection|Object|Event|'?[A-Z]\w{0,60}'?)? ?captured as (?:exception|promise rejection) with keys: (?<keys>.{0,300})/s,
    ],
  },
]
