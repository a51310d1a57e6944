import { textOf } from '#lib/json-value.ts'
import { userHash } from '../normalise/user-hash.ts'
import type { Facts } from './facts.ts'

export function userHashOf(facts: Facts, projectId: number): string {
  const name = textOf(facts.userName ?? facts.oldUserName)
  return userHash(projectId, textOf(facts.userId), textOf(facts.userEmail), name, textOf(facts.userIp))
}
