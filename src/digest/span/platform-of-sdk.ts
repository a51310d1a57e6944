/** Streamed spans do not name their platform; the SDK's name does. Browsers are told by their container before this is asked. */
export function platformOfSdk(sdkName: string): string {
  if (sdkName === '') return ''
  if (sdkName.startsWith('sentry.javascript.')) {
    return sdkName === 'sentry.javascript.browser' || sdkName === 'sentry.javascript.react' ? 'javascript' : 'node'
  }
  return sdkName.startsWith('sentry.') ? (sdkName.split('.')[1] ?? '') : ''
}
