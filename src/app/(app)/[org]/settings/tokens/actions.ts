'use server'
import { z } from 'zod'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { revokeAuthToken } from '#domain/tokens/find-auth-token.ts'
import { isTokenScope } from '#domain/tokens/token-scopes.ts'
import { getRuntime } from '#runtime.ts'
import { defineAction } from '#web/define-action.ts'

const scopes = z
  .union([z.string(), z.array(z.string())], 'Choose at least one scope.')
  .transform(given => [given].flat())
  .refine(given => given.every(isTokenScope), 'Choose scopes from the list.')

export const submitToken = defineAction(
  {
    input: z.object({ name: z.string().trim().max(60, 'Use at most 60 characters.'), scope: scopes }),
    verb: 'token.create',
    faultField: 'name',
  },
  (context, { name, scope }, viewer) =>
    createAuthToken(context, {
      organizationId: viewer.organization.id,
      publicUrl: getRuntime().config.publicUrl,
      name,
      scopes: scope,
      createdBy: viewer.user.id,
    }),
  ({ token }) => ({ say: 'Copy the token now. It isn’t stored, so it can’t be shown again.', secret: token }),
)

export const revokeToken = defineAction(
  { input: z.object({ token: z.coerce.number().int().positive() }), verb: 'token.revoke' },
  (context, { token }, viewer) => revokeAuthToken(context, { organizationId: viewer.organization.id, tokenId: token }),
  () => ({ say: 'Token revoked.' }),
)
