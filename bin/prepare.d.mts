export function ensureBuilt(options: { say: (line: string) => void }): Promise<unknown>
