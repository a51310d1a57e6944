/** A browser that has signed in to an account before carries a cookie that says so. It opens nothing: it only keeps strangers' wrong guesses apart from the owner's. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const deviceCookie = 'hydrant.device'
export const deviceCookieSeconds = 365 * 24 * 60 * 60

/** `<id>.<signature>`: signed, so that nobody makes up a new browser for each guess. */
export function signDevice(secret: string, account: string, id = randomBytes(12).toString('hex')): string {
  return `${id}.${signatureOf(secret, account, id)}`
}

/** The id of the browser, where the cookie is ours and for this account. */
export function readDevice(secret: string, account: string, cookie: string | undefined): string | null {
  const [, id = '', signature = ''] = /^([0-9a-f]{24})\.([0-9a-f]{64})$/.exec(cookie ?? '') ?? []
  const right = Buffer.from(signatureOf(secret, account, id))
  const given = Buffer.from(signature)
  return given.length === right.length && timingSafeEqual(given, right) ? id : null
}

const signatureOf = (secret: string, account: string, id: string): string =>
  createHmac('sha256', secret).update(`device:${id}:${account}`).digest('hex')
