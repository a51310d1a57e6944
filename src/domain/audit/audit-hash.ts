import { createHash } from 'node:crypto'

/** What may name a person. The chain covers only its salted digest, so that it can be erased. */
export type PersonalFields = {
  actor_label: string
  target_label: string
  address: string
  agent: string
  detail: string
  before: string
  after: string
}
export type ChainedFields = {
  position: number
  organization_id: number | null
  at: number
  /** `user:<id>`: an id says nothing once the account is gone. */
  actor: string
  action: string
  target: string
  digest: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Without the salt, nobody can try out names against the digest of an erased entry. */
export const digestOf = (salt: string, row: PersonalFields): string =>
  sha256(
    `${salt}\n${JSON.stringify([row.actor_label, row.target_label, row.address, row.agent, row.detail, row.before, row.after])}`,
  )

export const hashOf = (previousHash: string, row: ChainedFields): string =>
  sha256(
    `${previousHash}\n${JSON.stringify([row.position, row.organization_id, row.at, row.actor, row.action, row.target, row.digest])}`,
  )
