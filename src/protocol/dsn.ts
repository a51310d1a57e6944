/** `{http|https}://{publicKey}[:{secret}]@{host}[:{port}][/{path}]/{projectId}`. Secrets are obsolete and ignored. */

type Dsn = {
  protocol: 'http' | 'https'
  publicKey: string
  /** Lower case, with the port unless it is the default. */
  host: string
  /** Without leading or trailing slash; usually empty. */
  path: string
  projectId: number
}

export function parseDsn(text: string): Dsn | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.host === '') return null
  const segments = url.pathname.split('/').filter(Boolean)
  const projectId = parseProjectId(segments.pop() ?? '')
  if (projectId === null || !isPublicKey(url.username)) return null
  return {
    protocol: url.protocol === 'https:' ? 'https' : 'http',
    publicKey: url.username.toLowerCase(),
    host: url.host,
    path: segments.join('/'),
    projectId,
  }
}

export function formatDsn({ protocol, publicKey, host, path, projectId }: Dsn): string {
  return `${protocol}://${publicKey}@${host}${path === '' ? '' : `/${path}`}/${projectId}`
}

/** 32 hex digits: JavaScript SDKs accept any word, but Relay and the other SDKs only these. */
export const isPublicKey = (text: string): boolean => /^[0-9a-f]{32}$/i.test(text)

/** Ids are numbers from 1 to 2^53 - 1, written without signs or leading zeros. */
export function parseProjectId(text: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : null
}
