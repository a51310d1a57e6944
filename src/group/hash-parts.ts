import { hash } from 'node:crypto'
import type { Part } from './fingerprint.ts'

/** 32 hex digits. Kind and value end in characters that no part holds, so that ['a', 'bc'] and ['ab', 'c'] differ. */
export function hashParts(parts: Part[]): string {
  let text = ''
  for (const { kind, value } of parts) text += `${kind}\u0001${value}\u0000`
  return hash('md5', text)
}
