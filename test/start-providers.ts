/**
 * GitHub, GitLab and Google on this machine: the endpoints that each documents for signing in, as far as a server calls them. Requests to
 * the hosts of GitHub and Google are sent here instead.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ProviderId = 'github' | 'gitlab' | 'google'
export type ProviderPerson = { id: number; name: string; email: string; isVerified: boolean | 'false' }
export type Providers = {
  url: string
  /** What the person's browser brings back after agreeing on the page that `address` opens. */
  agree(provider: ProviderId, address: string, person: ProviderPerson): { code: string; state: string }
  close(): void
}

/** What each provider knows of Hydrant. */
export const providerClient = { clientId: 'hydrant', clientSecret: 'a secret of the tests alone' }

const hosts = new Set(['github.com', 'api.github.com', 'oauth2.googleapis.com', 'www.googleapis.com'])

type Grant = { provider: ProviderId; person: ProviderPerson; asked: URLSearchParams }

export async function startProviders(): Promise<Providers> {
  const grants = new Map<string, Grant>()
  const people = new Map<string, ProviderPerson>()
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const answers: Record<string, (request: IncomingMessage) => unknown> = {
    '/login/oauth/access_token': request => exchange('github', request),
    '/user': request => {
      const { id, name } = personOf(request)
      // An address that the person does not show on the profile.
      return { id, login: `login${id}`, name, email: null, avatar_url: '' }
    },
    '/user/emails': request => {
      const { email, isVerified } = personOf(request)
      return [
        { email: 'other@example.org', primary: false, verified: true, visibility: null },
        { email, primary: true, verified: isVerified, visibility: 'private' },
      ]
    },
    '/oauth/token': request => exchange('gitlab', request),
    '/api/v4/user': request => {
      const { id, name, email, isVerified } = personOf(request)
      const confirmed_at = isVerified ? '2026-01-02T03:04:05.000Z' : null
      return { id, username: `login${id}`, name, email, state: 'active', locked: false, avatar_url: '', confirmed_at }
    },
    '/token': request => exchange('google', request),
    '/oauth2/v3/certs': () => ({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256' }] }),
  }

  function personOf(request: IncomingMessage): ProviderPerson {
    const person = people.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    if (person === undefined) throw new Error('unknown token')
    return person
  }

  /** A code is worth one token, for the client that asked for it. */
  async function exchange(provider: ProviderId, request: IncomingMessage) {
    const given = new URLSearchParams(await text(request))
    const grant = grants.get(given.get('code') ?? '')
    grants.delete(given.get('code') ?? '')
    if (grant === undefined || grant.provider !== provider) throw new Error('unknown code')
    const { asked, person } = grant
    const basic = Buffer.from(request.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
    const secret = given.get('client_secret') ?? decodeURIComponent(basic.split(':')[1] ?? '')
    const challenge = createHash('sha256')
      .update(given.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      secret === providerClient.clientSecret &&
      given.get('redirect_uri') === asked.get('redirect_uri') &&
      (asked.get('code_challenge') ?? challenge) === challenge
    if (!isRight) throw new Error('wrong client')
    const access_token = randomUUID()
    people.set(access_token, person)
    const id_token = provider === 'google' ? signIdToken(keys.privateKey, person, asked.get('nonce')) : undefined
    return { access_token, token_type: 'bearer', scope: asked.get('scope'), id_token }
  }

  const server = createServer(async (request, response) => {
    const answer = answers[new URL(request.url ?? '/', 'http://localhost').pathname]
    try {
      const body = JSON.stringify(await answer?.(request))
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body)
    } catch (error) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: String(error) }))
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const realFetch = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const wanted = new URL(input instanceof Request ? input.url : input)
    return hosts.has(wanted.hostname) ? realFetch(url + wanted.pathname, init) : realFetch(input, init)
  }
  return {
    url,
    agree: (provider, address, person) => {
      const asked = new URL(address).searchParams
      if (asked.get('client_id') !== providerClient.clientId) throw new Error('unknown client')
      const code = randomUUID()
      grants.set(code, { provider, person, asked })
      return { code, state: asked.get('state') ?? '' }
    },
    close: () => {
      globalThis.fetch = realFetch
      server.close()
    },
  }
}

function signIdToken(key: KeyObject, { id, name, email, isVerified }: ProviderPerson, nonce: string | null): string {
  const seconds = Math.floor(Date.now() / 1_000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    ...{ iss: 'https://accounts.google.com', aud: providerClient.clientId, iat: seconds, exp: seconds + 600 },
    ...{ sub: String(id), name, email, email_verified: isVerified, ...(nonce === null ? {} : { nonce }) },
  }
  const signed = `${encode({ alg: 'RS256', kid: 'k1', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key).toString('base64url')}`
}
