/** Scripts that a visitor's browser put into the page: extensions, toolbars, in-app browsers, wallets. */
import type { StoredEvent } from '#protocol/event.ts'
import type { NoiseRule } from './noise-rule.ts'

/** Some have no frame at all: they are known by what they say. */
const says = [
  'top.GLOBALS',
  'originalCreateNotification',
  'canvas.contentDocument',
  'MyApp_RemoveAllHighlights',
  'http://tt.epicplay.com',
  "Can't find variable: ZiteReader",
  'jigsaw is not defined',
  'ComboSearch is not defined',
  'http://loading.retry.widdit.com/',
  'atomicFindClose',
  'fb_xd_fragment',
  'bmi_SafeAddOnload',
  'EBCallBackMessageReceived',
  '_gCrWeb',
  'conduitPage',
  "null is not an object (evaluating 'elt.parentNode')",
  'plugin.setSuspendState is not a function',
  'Extension context invalidated',
  'webkit-masked-url:',
  "can't access dead object",
  "Can't find variable: gmo",
  "Can't find variable: _AutofillCallbackHandler",
  'vv().getRestrictions is not a function',
  'Java exception was raised during method invocation',
  'Java object is gone',
  'window.webkit.messageHandlers',
  'instantSearchSDKJSBridgeClearHighlight',
  'Could not establish connection. Receiving end does not exist',
  'A listener indicated an asynchronous response by returning true, but the message channel closed',
]
const patterns = [
  /Cannot redefine property: (?:solana|ethereum|googletag)\b/,
  /^undefined is not an object \(evaluating 'a\.[A-Z]'\)$/,
  /Permission denied to access property /,
  /Object Not Found Matching Id:\d+, MethodName:\w+/,
]
const any = new RegExp([...says.map(escapePattern), ...patterns.map(({ source }) => source)].join('|'))

const places =
  /^(?:chrome|chrome-extension|moz-extension|safari-extension|safari-web-extension|ms-browser-extension):\/\/|webkit-masked-url|\bgraph\.facebook\.com|connect\.facebook\.net|eatdifferent\.com\.woopra-ns\.com|static\.woopra\.com\/js\/woopra\.js|127\.0\.0\.1:4001\/isrunning|webappstoolbarba\.texthelp\.com\/|metrics\.itunes\.apple\.com\.edgesuite\.net\/|kaspersky-labs\.com/i

/**
 * Next's SDK writes `app:///content.js` for any origin, so an extension's name is gone; what is left is what extensions call their
 * files. The app's own code lies in `_next`.
 */
const usualNames =
  /^app:\/\/\/(?!_next\/)(?:[\w.-]{1,60}\/){0,6}(?:contents?|content[-_.]?scripts?|inject(?:ed|ion)?|in[-_]?page|evm[-_]?ask|web3|request[-_]?provider|page[-_]?script|background|user[-_]?script)(?:[-_.][\w.-]{0,60})?\.js$/i

export const extensionRule: NoiseRule = {
  id: 'browser-extensions',
  name: 'Browser extensions',
  why: 'The script that failed came with the visitor’s browser: an extension, a wallet, a toolbar or an in-app browser.',
  byDefault: 'on',
  matches: ({ event, isBrowser, value }) => {
    if (!isBrowser) return false
    const place = lastPlace(event)
    return any.test(value) || places.test(place) || usualNames.test(place)
  },
}

/** Where the script lies that threw. Frames without an address are the engine's own. */
function lastPlace(event: StoredEvent): string {
  const frames = event.exception?.values.at(-1)?.stacktrace?.frames ?? []
  const last = frames.findLast(({ abs_path, filename }) => isNamed(abs_path ?? filename))
  return last?.abs_path ?? last?.filename ?? ''
}

const isNamed = (path: string | undefined): boolean =>
  path !== undefined && path !== '' && path !== '<anonymous>' && path !== '[native code]'

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
