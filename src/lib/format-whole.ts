const wholes = new Intl.NumberFormat('en-US')

/** 4,812. `toLocaleString` says the same, but takes about 50 µs in Chromium instead of 1.5. */
export const formatWhole = (value: number): string => wholes.format(value)
