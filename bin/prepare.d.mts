export const pageEntries: readonly string[]
