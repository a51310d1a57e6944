/** Commands, digest and jobs lock the same rows. PostgreSQL ends one of two transactions that wait for each other; it may be run again. */
const attempts = 3

export async function retryDeadlocks<Result>(runTransaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction()
    } catch (error) {
      if (attempt === attempts || !isDeadlock(error)) throw error
    }
  }
}

const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01'
