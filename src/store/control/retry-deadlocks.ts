const attempts = 3

/** Commands, digest and jobs lock the same rows. PostgreSQL aborts one of two deadlocked transactions, which can be repeated. */
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
