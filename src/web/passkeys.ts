import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { headers } from 'next/headers'
import { createOneTimeToken, spendOneTimeToken, type TokenPurpose } from '#domain/sign-in/one-time-token.ts'
import {
  addPasskey,
  deletePasskey,
  findPasskey,
  hasAnyPasskey,
  listPasskeys,
  notePasskeyUse,
  type Passkey,
} from '#domain/sign-in/passkeys.ts'
import { endSession } from '#domain/sign-in/sessions.ts'
import { reserveChallenge } from '#domain/sign-in/sign-in-limit.ts'
import { getRuntime } from '#runtime.ts'
import type { FactorOwner } from './factor-guard.ts'
import { clientGroup } from './request-headers.ts'
import { startSession } from './sign-in-links.ts'
import { findSignedIn } from './viewer.ts'
import { webContext } from './web-context.ts'

const challengeMs = 5 * 60_000

/** Browsers offer passkeys for names on https, and for localhost; not for addresses. */
export function mayUsePasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return false
  return protocol === 'https:' || hostname === 'localhost'
}

/** Whether the sign-in page has a button for them: not before someone has one. */
export async function offersPasskeys(): Promise<boolean> {
  return mayUsePasskeys(getRuntime().config.publicUrl) && (await hasAnyPasskey(webContext()))
}

/** Loaded on first use: few requests need it. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** What the browser's answer must be about. */
function expectations(purpose: TokenPurpose, userId: string | null) {
  const { origin, hostname } = new URL(getRuntime().config.publicUrl)
  return {
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
    // The challenge is a one-time token, so an answer that was recorded is worth nothing.
    expectedChallenge: async (challenge: string) => {
      const spent = await spendOneTimeToken(webContext(), { purpose, token: challenge })
      return spent !== undefined && spent.userId === userId
    },
  }
}

async function newChallenge(purpose: TokenPurpose, userId: string | null) {
  const token = await createOneTimeToken(webContext(), { purpose, userId, lifeMs: challengeMs })
  return new Uint8Array(Buffer.from(token, 'base64url'))
}

const transportsOf = ({ transports }: Passkey) => JSON.parse(transports) as AuthenticatorTransport[]

/** What the browser needs to create a key for this member. */
export async function beginAdding({ user }: FactorOwner): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadWebAuthn()
  const present = await listPasskeys(webContext(), user.id)
  return generateRegistrationOptions({
    rpName: 'Hydrant',
    rpID: new URL(getRuntime().config.publicUrl).hostname,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    challenge: await newChallenge('add-passkey', user.id),
    excludeCredentials: present.map(each => ({ id: each.credentialId, transports: transportsOf(each) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** The other passkeys stay. */
export const removePasskey = ({ user }: FactorOwner, id: string) =>
  deletePasskey(webContext(`user:${user.id}`), { userId: user.id, id })

type AddResult = Awaited<ReturnType<typeof addPasskey>> | { ok: false; code: 'passkey_invalid' }

export async function finishAdding(
  { user }: FactorOwner,
  { response, name }: { response: RegistrationResponseJSON; name: string },
): Promise<AddResult> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const result = await verifyRegistrationResponse({ response, ...expectations('add-passkey', user.id) }).catch(
    () => null,
  )
  if (!result?.verified) return { ok: false, code: 'passkey_invalid' }
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
  return addPasskey(webContext(`user:${user.id}`), {
    userId: user.id,
    sessionId: user.sessionId,
    name,
    counter,
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    transports: JSON.stringify(transports),
  })
}

/** What the browser needs to show its keys for this server. Null if this address asks too often. */
export async function beginPasskeySignIn(): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const { config } = getRuntime()
  const address = clientGroup(await headers(), config.trustedProxies)
  if (!(await reserveChallenge(webContext(), address))) return null
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: new URL(config.publicUrl).hostname,
    userVerification: 'required',
    challenge: await newChallenge('use-passkey', null),
  })
}

/** Signs in as the owner of the key: possession and fingerprint or PIN, which are two factors. */
export async function finishPasskeySignIn(response: AuthenticationResponseJSON): Promise<boolean> {
  const context = webContext()
  const passkey = await findPasskey(context, response.id)
  if (passkey === undefined) return false
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const result = await verifyAuthenticationResponse({
    response,
    ...expectations('use-passkey', null),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
      transports: transportsOf(passkey),
    },
  }).catch(() => null)
  if (!result?.verified) return false
  if (!(await notePasskeyUse(context, passkey, result.authenticationInfo.newCounter))) return false
  const before = await findSignedIn()
  const { sessionId } = await startSession({ userId: passkey.userId, method: 'passkey', hasFactors: true })
  // The account may have changed hands since the key was read.
  if (sessionId !== null && (await findPasskey(context, passkey.credentialId)) === undefined) {
    await endSession(webContext(`user:${passkey.userId}`), { userId: passkey.userId, sessionId })
    return false
  }
  if (before) await endSession(webContext(`user:${before.id}`), { userId: before.id, sessionId: before.sessionId })
  return true
}
