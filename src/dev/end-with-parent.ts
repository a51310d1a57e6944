/** More than stopping takes, whose parts have limits of their own. What was accepted is on disk. */
const killAfterMs = 15_000

/** Ends this process in order when the one that has started it ends, even by SIGKILL: the IPC channel between them closes then. */
export function endWithParent(): void {
  const end = () => {
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), killAfterMs).unref()
  }
  process.once('disconnect', end)
  if (process.connected === false) end() // it had ended before this code was loaded
}
