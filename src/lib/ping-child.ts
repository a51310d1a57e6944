/** A question to a child process that its event loop answers, over the channel that only parent and child have. */
import type { ChildProcess } from 'node:child_process'

const ping = 'ping'
const pong = 'pong'

/** In the child. */
export function answerPings(): void {
  process.on('message', message => {
    if (message === ping) process.send?.(pong)
  })
}

/** In the parent. */
export function pingChild(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown) => {
      if (message !== pong) return
      child.off('message', hear)
      resolve()
    }
    child.on('message', hear)
    if (!child.connected) return reject(new Error('the channel is closed'))
    child.send(ping, error => error && reject(error))
  })
}
