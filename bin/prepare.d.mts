export const pageEntries: readonly string[]

export function ensureBuilt(options: { say: (line: string) => void }): Promise<unknown>
