'use server'

import * as Sentry from '@sentry/nextjs'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'

/** Wrapped by the SDK: it gets a span of its own, and its error names the action. */
export async function submitOrder(formData: FormData): Promise<void> {
  await Sentry.withServerActionInstrumentation('submitOrder', { headers: await headers(), formData }, async () => {
    const quantity = Number(formData.get('quantity'))
    if (quantity < 1) throw new RangeError('An order needs at least one pot')
    Sentry.logger.info('Order placed', { quantity })
    Sentry.metrics.count('orders', 1, { attributes: { item: 'pot' } })
  })
  redirect('/order?done=order')
}

/** Not wrapped: seen by Next's own instrumentation only. */
export async function subscribe(): Promise<void> {
  redirect('/order?done=subscription')
}
