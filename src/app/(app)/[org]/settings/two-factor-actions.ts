'use server'
import { z } from 'zod'
import { requireTwoFactor } from '#domain/sign-in/second-factor.ts'
import { defineAction } from '#web/define-action.ts'
import { findSignedIn } from '#web/viewer.ts'

const weekMs = 7 * 24 * 60 * 60_000

export const requireSecondFactor = defineAction(
  { input: z.object({ from: z.enum(['off', 'now', 'week']) }), verb: 'organization.require_two_factor' },
  async (context, { from }, viewer) => {
    const start = { off: null, now: context.now(), week: context.now() + weekMs }[from]
    const hasSecondFactor = (await findSignedIn())?.hasSecondFactor === true
    const result = await requireTwoFactor(context, {
      organizationId: viewer.organization.id,
      from: start,
      hasSecondFactor,
    })
    return result.ok ? { ...result, from } : result
  },
  ({ from }) => ({
    say:
      from === 'off'
        ? 'A second factor is optional now.'
        : from === 'now'
          ? 'Members need a second factor from now on.'
          : 'Members need a second factor in 7 days.',
  }),
)
