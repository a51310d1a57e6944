/** An OpenID Connect provider whose every answer a test chooses, also those that a real one gives only when it is broken. */
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Claims = Record<string, unknown>
export type OidcAnswers = {
  issuer: string
  /** For the next sign-in: the claims of the ID token beside those of the protocol, or no ID token. */
  idToken: Claims | null
  /** For the next sign-in: the claims, or another answer. */
  userinfo: Claims | 'error' | 'cut' | 'text' | 'list'
  /** Other endpoints that fail now. */
  broken: Set<'discovery' | 'token' | 'keys'>
  /** Stands in for a person who approves the sign-in at `address`. Returns the parameters of the redirect back. */
  agree(address: string): { code: string; state: string }
  close(): void
}

export const oidcClient = { id: 'hydrant', secret: 'a secret of the tests alone' }

export async function startOidcAnswers(): Promise<OidcAnswers> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let nonce = ''
  const json = (response: ServerResponse, body: unknown) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const fail = (response: ServerResponse) => void response.writeHead(500).end()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer)
    if (pathname === '/.well-known/openid-configuration')
      return provider.broken.has('discovery') ? fail(response) : json(response, discovery(issuer))
    if (pathname === '/keys')
      return provider.broken.has('keys')
        ? fail(response)
        : json(response, { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256' }] })
    if (pathname === '/token')
      return provider.broken.has('token') ? fail(response) : json(response, tokens(provider.idToken))
    if (pathname === '/userinfo') return answerUserinfo(response, provider.userinfo)
    return fail(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function tokens(claims: Claims | null) {
    const seconds = Math.floor(Date.now() / 1_000)
    const all = { iss: issuer, aud: oidcClient.id, iat: seconds, exp: seconds + 600, nonce, ...claims }
    const parts = [{ alg: 'RS256', kid: 'k1' }, all].map(each =>
      Buffer.from(JSON.stringify(each)).toString('base64url'),
    )
    const signature = createSign('RSA-SHA256').update(parts.join('.')).sign(keys.privateKey, 'base64url')
    const id_token = claims === null ? {} : { id_token: [...parts, signature].join('.') }
    return { access_token: 'a', token_type: 'bearer', ...id_token }
  }

  function answerUserinfo(response: ServerResponse, answer: OidcAnswers['userinfo']): void {
    if (answer === 'error') fail(response)
    else if (answer === 'list') json(response, [])
    else if (answer === 'text') response.writeHead(200).end('<html>Sign in again</html>')
    else if (answer !== 'cut') json(response, answer)
    else {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"sub":', () => response.destroy())
    }
  }

  const provider: OidcAnswers = {
    issuer,
    idToken: null,
    userinfo: 'error',
    broken: new Set(),
    agree(address) {
      const asked = new URL(address).searchParams
      nonce = asked.get('nonce') ?? ''
      return { code: randomUUID(), state: asked.get('state') ?? '' }
    },
    close: () => void server.close(),
  }
  return provider
}

const discovery = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
  id_token_signing_alg_values_supported: ['RS256'],
})
