export type Check = {
  name: string
  state: 'ok' | 'warn' | 'fail'
  /** The finding. */
  sentence: string
  /** How to fix it. */
  fix?: string
}

export const ok = (name: string, sentence: string): Check => ({ name, state: 'ok', sentence })
export const warn = (name: string, sentence: string, fix: string): Check => ({ name, state: 'warn', sentence, fix })
export const fail = (name: string, sentence: string, fix: string): Check => ({ name, state: 'fail', sentence, fix })

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause)
  return error instanceof Error ? error.message : String(error)
}
