/** Whether `npm run dev` signs a request in. Everything here is about who may reach the owner's account without a password. */
import { join, resolve } from 'node:path'
import { isLoopback } from '#lib/peer-list.ts'

export type DevInstallation = {
  nodeEnv: string | undefined
  /** The folder of the program. */
  root: string
  dataDir: string
  /** Where the server listens. */
  host: string
  databaseUrl: string | undefined
  clickhouseUrl: string | undefined
  blobsUrl: string | undefined
  trustedProxies: readonly string[]
}

export type DevRequest = {
  peer: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export const devDataDir = (root: string): string => join(root, 'data-dev')

/** Another host, database or proxy may not be the developer's own, so it gets no sample data and no automatic sign-in. */
export function isDevInstallation(installation: DevInstallation): boolean {
  const { nodeEnv, root, dataDir, host, databaseUrl, clickhouseUrl, blobsUrl, trustedProxies } = installation
  return (
    nodeEnv === 'development' &&
    resolve(dataDir) === devDataDir(resolve(root)) &&
    (host === 'localhost' || isLoopback(host)) &&
    [databaseUrl, clickhouseUrl, blobsUrl].every(url => url === undefined) &&
    trustedProxies.length === 0
  )
}

/** A page of another site can resolve its own name to this machine, and a tunnel comes from it: the name must be local, and nothing forwarded. */
export function isFromThisMachine({ peer, headers }: DevRequest): boolean {
  return isLoopback(peer ?? '') && isLocalName(headers.host) && !Object.keys(headers).some(isForwarding)
}

export function maySignIn(installation: DevInstallation, request: DevRequest): boolean {
  return isDevInstallation(installation) && isFromThisMachine(request)
}

const isLocalName = (host: string | string[] | undefined): boolean =>
  typeof host === 'string' && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host)

const isForwarding = (name: string): boolean =>
  ['forwarded', 'via', 'x-real-ip'].includes(name) || name.startsWith('x-forwarded-')
