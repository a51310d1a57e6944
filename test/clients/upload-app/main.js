import { priceOf } from './price.js'

/** Fails on purpose: what the bundler makes of this line must lead back to it. */
export function checkOut(basket) {
  if (basket.length === 0) throw new Error('the basket is empty')
  return basket.reduce((sum, item) => sum + priceOf(item), 0)
}

globalThis.checkOut = checkOut
