import { clipText } from '#lib/clip-text.ts'

/** What was blocked, coarse enough to group by: a host, or the browser's own word for things without one. */
export function blockedHost(blockedUri: string, documentUri: string): string {
  if (blockedUri === '' || blockedUri === 'self') return blockedUri === '' ? 'inline code' : 'own origin'
  if (blockedUri === 'inline' || blockedUri === 'eval' || blockedUri === 'wasm-eval') return `${blockedUri} code`
  const host = hostOf(blockedUri)
  if (host === '') return clipText(blockedUri.replace(/:.*$/s, ''), 200)
  return host === hostOf(documentUri) ? 'own origin' : host
}

function hostOf(uri: string): string {
  try {
    return new URL(uri).host
  } catch {
    return ''
  }
}
