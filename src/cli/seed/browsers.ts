/** The browsers of seeded visits, most frequent first. Digest reads name, version and OS from the user agent; the currency is a tag. */
export const browsers = [
  {
    currency: 'EUR',
    share: 0.56,
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
  },
  {
    currency: 'USD',
    share: 0.26,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  },
  {
    currency: 'GBP',
    share: 0.1,
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  },
  {
    currency: 'SEK',
    share: 0.08,
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  },
] as const

/**
 * Placeholders for values that differ between visits. Digest processes the templates with them, so the rows have exactly the shape
 * that digest writes; the engine then replaces them by the values of each visit.
 */
export const slots = {
  eventId: '5eed5eed5eed5eed5eed5eed5eed5eed',
  traceId: '5eed0000000000000000000000000abc',
  /** Unix time; every timestamp in a template begins with it. */
  second: 1_794_000_000,
  user: '700700700',
  item: '600600600',
  release: 'shop@0.0.0-template',
  environment: 'template-environment',
} as const

export const serverSdk = { name: 'sentry.javascript.nextjs', version: '11.8.0' }
