const againAfterMs = 100

type Killer = { add(mark: string): void /** The statement has ended. */; remove(mark: string): void }

/**
 * Kills running statements and repeats until each has ended, because a kill misses a statement that the engine has not registered yet. One
 * call at a time for all of them, because each call takes a thread.
 */
export function createKiller(kill: (marks: string[]) => Promise<void>): Killer {
  const wanted = new Set<string>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (wanted.size > 0) {
      // A failure changes nothing: the statement is still there, and so is its time limit.
      await kill([...wanted]).catch(() => undefined)
      if (wanted.size > 0) await new Promise(resolve => setTimeout(resolve, againAfterMs))
    }
    isRunning = false
  }

  return {
    add(mark) {
      wanted.add(mark)
      if (!isRunning) void run()
    },
    remove: mark => void wanted.delete(mark),
  }
}
