/** Secrets that are known by their own shape, wherever they stand: cards, keys, credentials. */
import { scrubbed } from './placeholder.ts'
import { hasCards, scrubCards } from './scrub-cards.ts'
import { scrubJwts } from './scrub-jwts.ts'

const bearer = /\b(bearer\s+)([\w+/.~=-]{8,4096})/gi
const basic = /\b(basic\s+)([a-z0-9+/]{8,4096}={0,2})/gi
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g

/** Searched in a whole payload, before it is taken apart: patterns with a fixed length are skipped through, not stepped through. */
const suspects = /eyJ[\w-]{8}|-----BEGIN|(?:bearer|basic)\s(?:\s|[\w+/.~=-]{8})/i

/** Whether any text in this payload needs `scrubShapes`. True for most that hold a secret of that kind, false for most others. */
export const hasShapes = (payload: string): boolean => suspects.test(payload) || hasCards(payload)

export function scrubShapes(text: string): string {
  return scrubJwts(scrubCards(text).replace(privateKey, scrubbed))
    .replace(bearer, (all, scheme: string, token: string) => (looksRandom(token) ? scheme + scrubbed : all))
    .replace(basic, (all, scheme: string, token: string) => (isUserAndPassword(token) ? scheme + scrubbed : all))
}

/** "Bearer authentication failed" is a sentence; a credential has digits or is longer than words are. */
const looksRandom = (token: string): boolean => /\d/.test(token) || token.length >= 24

const isUserAndPassword = (token: string): boolean => Buffer.from(token, 'base64').includes(0x3a)
