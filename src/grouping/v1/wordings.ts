/** Responses that are not JSON, and scripts that are not JavaScript. */
export const dataFailures: readonly Failure[] = [
  {
    message: 'JSON ends too early',
    onlyTypes: ['SyntaxError'],
    identifies: 'kind',
    wordings: [
      /^Unexpected end of JSON input/,
      /^Unterminated string in JSON at position /,
      /^JSON\.parse: (?:unexpected end of data|end of data|unterminated string)/,
      /^JSON Parse error: (?:Unexpected EOF|Unterminated string)/,
    ],
  },
  {
    message: 'not valid JSON',
    onlyTypes: ['SyntaxError'],
    identifies: 'kind',
    wordings: [
      /^Unexpected token .* is not valid JSON$/s,
      /^".*" is not valid JSON$/s,
      /^[^\n]{1,200} in JSON at position \d+/,
      /^Unexpected non-whitespace character after JSON/,
      /^JSON\.parse: /,
      /^JSON Parse error: /,
      /^The string did not match the expected pattern\.$/,
    ],
  },
  {
    message: 'a script is not JavaScript',
    onlyTypes: ['SyntaxError'],
    identifies: 'kind',
    wordings: [/^Unexpected token '?<'?$/, /^expected expression, got '<'$/],
  },
]

/** A failure and the messages that engines and frameworks have for it. */
export type Failure = {
  /**
   * Hashed, so it never changes. A name in braces is a group of the wording: `{property}` may also come from `expression`,
   * `{function}` from `callee`.
   */
  message: string
  /** Only for errors of these types, if the wording alone is ambiguous. */
  onlyTypes?: readonly string[]
  /** The type to use, if engines differ. */
  type?: string
  /** See `ParsedMessage` in message.ts. */
  identifies: 'bug' | 'kind' | 'all'
  isRecursion?: true
  wordings: readonly RegExp[]
}

/** Network failures. SDKs add the host in brackets. Safari has no stack for them, so stacks are ignored. */
export const networkFailures: readonly Failure[] = [
  {
    message: 'part of the app could not be loaded',
    type: 'ChunkLoadError',
    identifies: 'all',
    wordings: [
      /^(?:ChunkLoadError: )?(?:Loading (?:CSS )?chunk .{1,300} failed|Failed to load chunk )/s,
      /^(?:Uncaught )?(?:\(in promise\):? )?ChunkLoadError\b/,
      /^Failed to fetch dynamically imported module: /,
      /^error loading dynamically imported module/,
      /^Importing a module script failed\.?$/,
    ],
  },
  {
    message: 'network request failed {host}',
    onlyTypes: ['TypeError', 'NetworkError', 'AxiosError', 'Error'],
    type: 'NetworkError',
    identifies: 'all',
    wordings: [
      /^Failed to fetch(?: \((?<host>[^)]{1,255})\))?$/,
      /^NetworkError when attempting to fetch resource\.(?: \((?<host>[^)]{1,255})\))?$/,
      /^Load failed(?: \((?<host>[^)]{1,255})\))?$/,
      /^(?:The network connection was lost|The Internet connection appears to be offline|A server with the specified hostname could not be found|Could not connect to the server)\.$/,
      /^(?:Network request failed|Network Error|network error)$/,
    ],
  },
  {
    message: 'request aborted',
    onlyTypes: ['AbortError'],
    identifies: 'all',
    wordings: [
      /^(?:AbortError: )?(?:signal is aborted without reason|The user aborted a request)\.?$/,
      /^(?:AbortError: )?(?:The operation was aborted|Fetch is aborted|Fetch request was aborted|This operation was aborted)\.? ?$/,
    ],
  },
  {
    message: 'request timed out',
    onlyTypes: ['TimeoutError', 'TypeError'],
    type: 'TimeoutError',
    identifies: 'all',
    wordings: [
      /^(?:TimeoutError: )?signal timed out\.?$/,
      /^(?:TimeoutError: )?The operation timed out\.?$/,
      /^The request timed out\.$/,
    ],
  },
]

/** Messages of the DOM, web storage and React. */
export const pageFailures: readonly Failure[] = [
  {
    // One mismatch makes React 18 report three of these together.
    message: 'server and browser rendered different content',
    type: 'HydrationError',
    identifies: 'kind',
    wordings: [
      /^Minified React error #(?:418|422|423|425)\b/,
      /^Hydration failed because /,
      /^Text content does not match server-rendered HTML/,
      /^There was an error while hydrating/,
    ],
  },
  {
    message: 'server could not finish rendering',
    type: 'ServerRenderError',
    identifies: 'kind',
    wordings: [
      /^Minified React error #(?:419|441)\b/,
      /^The server could not finish this Suspense boundary/,
      /^An error occurred in the Server Components render/,
    ],
  },
  { message: 'React error #{code}', identifies: 'kind', wordings: [/^Minified React error #(?<code>\d{1,4})\b/] },
  {
    message: 'a node is not where it was put',
    onlyTypes: ['NotFoundError', 'DOMException', 'Error'],
    type: 'NotFoundError',
    identifies: 'kind',
    wordings: [
      /^(?:NotFoundError: )?Failed to execute '(?:removeChild|insertBefore|replaceChild)' on 'Node': /,
      /^(?:NotFoundError: )?Node\.(?:removeChild|insertBefore|replaceChild): /,
      /^(?:NotFoundError: )?The object can not be found here\.$/,
    ],
  },
  {
    message: 'storage is full',
    onlyTypes: [
      'QuotaExceededError',
      'NS_ERROR_DOM_QUOTA_REACHED',
      'NS_ERROR_FILE_NO_DEVICE_SPACE',
      'DOMException',
      'Error',
    ],
    type: 'QuotaExceededError',
    identifies: 'kind',
    wordings: [
      /^(?:QuotaExceededError: )?Failed to execute 'setItem' on 'Storage': .* exceeded the quota\.$/s,
      /^(?:QuotaExceededError: )?(?:The quota has been exceeded|The current transaction exceeded its quota limitations)\.$/,
      /^(?:Persistent storage maximum size reached|NS_ERROR_DOM_QUOTA_REACHED)/,
    ],
  },
  {
    message: 'storage may not be used',
    onlyTypes: ['SecurityError', 'DOMException', 'Error'],
    type: 'SecurityError',
    identifies: 'kind',
    wordings: [
      /^(?:SecurityError: )?Failed to read the '(?:localStorage|sessionStorage|indexedDB|cookie)' property from /,
      /^(?:SecurityError: )?The operation is insecure\.$/,
    ],
  },
  {
    message: 'ResizeObserver loop',
    identifies: 'all',
    wordings: [/^ResizeObserver loop (?:limit exceeded|completed with undelivered notifications\.?)$/],
  },
  { message: 'error in a script of another origin', identifies: 'all', wordings: [/^Script error\.?$/] },
  {
    message: 'something that is no error was thrown: {keys}',
    identifies: 'kind',
    wordings: [
      /^(?:Non-Error )?(?:exception|promise rejection|Object|Event|'?[A-Z]\w{0,60}'?)? ?captured as (?:exception|promise rejection) with keys: (?<keys>.{0,300})/s,
    ],
  },
]
