/**
 * What differs from one seeded visit to the next. Templates are understood by digest with these in place, so they have exactly
 * the shape that digest writes; the engine then puts the visit's own values in their stead.
 */
export const slots = {
  eventId: '5eed5eed5eed5eed5eed5eed5eed5eed',
  traceId: '5eed0000000000000000000000000abc',
  /** A second since 1970: every time in a template begins with it. */
  second: 1_794_000_000,
  user: '700700700',
  item: '600600600',
  release: 'shop@0.0.0-template',
  environment: 'template-environment',
} as const

export const serverSdk = { name: 'sentry.javascript.nextjs', version: '11.8.0' }
