import { trimEndOf } from '#lib/trim-end-of.ts'

/** `projectDsn('https://errors.acme.dev', key, 12)` is what an SDK is given. A path in the address stays in front of the id. */
export function projectDsn(publicUrl: string, publicKey: string, projectId: number): string {
  const { protocol, host, pathname } = new URL(publicUrl)
  return `${protocol}//${publicKey}@${host}${trimEndOf(pathname, '/')}/${projectId}`
}
