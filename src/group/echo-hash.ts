import { hashParts } from './hash-parts.ts'

/**
 * The group of browsers' errors that stand for a server's group in another project: an issue belongs to one project, so there it is an
 * issue of its own. It has the version of the server's hash.
 */
export const echoHash = (projectId: number, hash: string): string =>
  hashParts([{ kind: 'failure', value: `server ${projectId} ${hash}` }])
