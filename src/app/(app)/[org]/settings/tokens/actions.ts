'use server'
import { z } from 'zod'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { revokeAuthToken } from '#domain/tokens/find-auth-token.ts'
import { isTokenScope } from '#domain/tokens/token-scopes.ts'
import { getRuntime } from '#runtime.ts'
import { defineAction } from '#web/define-action.ts'
import { formCount, formId } from '#web/form-number.ts'

const dayMs = 86_400_000
const scopes = z
  .union([z.string(), z.array(z.string())], 'Choose at least one scope.')
  .transform(given => [given].flat())
  .refine(given => given.every(isTokenScope), 'Choose scopes from the list.')

const input = z.object({
  name: z.string().trim().max(60, 'Use at most 60 characters.'),
  scope: scopes,
  kind: z.enum(['organization', 'personal']).default('organization'),
  /** Days until it expires; 0 for never. */
  days: formCount.pipe(z.number().max(3_650)).default(0),
  private: z.literal('on').optional(),
})

export const submitToken = defineAction(
  {
    input,
    verb: {
      among: ['token.create', 'token.create-own'],
      chosen: ({ kind }) => (kind === 'personal' ? 'token.create-own' : 'token.create'),
    },
    faultField: 'name',
  },
  (context, { name, scope, kind, days, private: seesPrivate }, viewer) =>
    createAuthToken(context, {
      organizationId: viewer.organization.id,
      publicUrl: getRuntime().config.publicUrl,
      name,
      scopes: scope,
      createdBy: viewer.user.id,
      isPersonal: kind === 'personal',
      expiresAt: days === 0 ? null : context.now() + days * dayMs,
      seesPrivate: kind === 'organization' && seesPrivate === 'on',
    }),
  ({ token }) => ({ say: 'Copy the token now. It isn’t stored, so it can’t be shown again.', secret: token }),
)

/** Everyone revokes their own; `own` says that it is one. */
export const revokeToken = defineAction(
  {
    input: z.object({ token: formId, own: z.literal('on').optional() }),
    verb: {
      among: ['token.revoke', 'token.revoke-own'],
      chosen: ({ own }) => (own === 'on' ? 'token.revoke-own' : 'token.revoke'),
    },
  },
  (context, { token, own }, viewer) =>
    revokeAuthToken(context, {
      organizationId: viewer.organization.id,
      tokenId: token,
      ownerId: own === 'on' ? viewer.user.id : null,
    }),
  () => ({ say: 'Token revoked.' }),
)
