/** Texts and times that the states share. */
export const now = Date.UTC(2026, 2, 14, 9, 26, 53)
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** As long as SDKs and people make them. */
export const longName = 'checkout.payment.confirmation.handlers.createPaymentIntentWithSavedMethod'.repeat(3)
export const longText =
  'Cannot read properties of undefined (reading ‘currency’) while rendering the summary of an order whose items were removed from the catalog between two requests, and whose customer has no default address. '.repeat(
    3,
  )
/** Right to left, combining marks, a character that hides, and markup. */
export const oddText = 'שלום <b>&amp;</b> Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A\u202Etxt.exe'

/** Counts with a quiet night and a peak. */
export const counts = (length: number, peak: number): number[] =>
  Array.from({ length }, (_, at) => Math.round(peak * Math.max(0, Math.sin((at / length) * 9) * Math.sin(at * 1.7))))
