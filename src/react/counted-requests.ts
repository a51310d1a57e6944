/** Conditions on spans, in SQL, for lists and counts of requests. */

/** Each request counts once: without the SDK's own, and the nameless duplicate that Next.js sends for one through middleware. */
export const countedOnce = `NOT is_sdk_transport
  AND NOT (is_segment AND route = '' AND segment_source = 'custom' AND match(name, '^(RSC )?[A-Z]{3,7}$'))`
export const notMiddleware = `NOT (is_segment AND startsWith(op, 'middleware'))`
export const notPrefetch = 'NOT is_prefetch'
