export const priceOf = item => item.count * item.price
