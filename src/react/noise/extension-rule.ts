import type { StoredEvent } from '#protocol/event.ts'
import type { NoiseRule } from './noise-rule.ts'

/** Messages, because some extensions leave no frame. */
const messages = [
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
const anyMessage = new RegExp([...messages.map(escapePattern), ...patterns.map(({ source }) => source)].join('|'))

const extensionUrl =
  /^(?:chrome|chrome-extension|moz-extension|safari-extension|safari-web-extension|ms-browser-extension):\/\/|webkit-masked-url|\bgraph\.facebook\.com|connect\.facebook\.net|eatdifferent\.com\.woopra-ns\.com|static\.woopra\.com\/js\/woopra\.js|127\.0\.0\.1:4001\/isrunning|webappstoolbarba\.texthelp\.com\/|metrics\.itunes\.apple\.com\.edgesuite\.net\/|kaspersky-labs\.com/i

/**
 * The Next.js SDK rewrites every origin to `app:///`, so only the usual file names of extensions are left to recognize them. The
 * app's own code is in `_next`.
 */
const usualFileName =
  /^app:\/\/\/(?!_next\/)(?:[\w.-]{1,60}\/){0,6}(?:contents?|content[-_.]?scripts?|inject(?:ed|ion)?|in[-_]?page|evm[-_]?ask|web3|request[-_]?provider|page[-_]?script|background|user[-_]?script)(?:[-_.][\w.-]{0,60})?\.js$/i

export const extensionRule: NoiseRule = {
  id: 'browser-extensions',
  name: 'Browser extensions',
  why: 'The failing script belongs to the user’s browser: an extension, a wallet, a toolbar or an in-app browser.',
  byDefault: 'on',
  matches: ({ event, isBrowser, value }) => {
    if (!isBrowser) return false
    const url = throwingScript(event)
    return anyMessage.test(value) || extensionUrl.test(url) || usualFileName.test(url)
  },
}

/** The URL of the script that threw. Frames without a URL belong to the engine. */
function throwingScript(event: StoredEvent): string {
  const frames = event.exception?.values.at(-1)?.stacktrace?.frames ?? []
  const last = frames.findLast(({ abs_path, filename }) => isNamed(abs_path ?? filename))
  return last?.abs_path ?? last?.filename ?? ''
}

const isNamed = (path: string | undefined): boolean =>
  path !== undefined && path !== '' && path !== '<anonymous>' && path !== '[native code]'

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
