export const pageEntries: readonly string[]
export function digestPageSources(root: string): string
