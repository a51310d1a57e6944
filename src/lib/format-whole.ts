const wholes = new Intl.NumberFormat('en-US')

/** 4,812. `toLocaleString` says the same and takes fifty times as long. */
export const formatWhole = (value: number): string => wholes.format(value)
