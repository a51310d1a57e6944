/** Pings the event loop of a child process over the IPC channel. */
import type { ChildProcess } from 'node:child_process'

const ping = 'ping'
const pong = 'pong'

/** In the child. */
export function respondToPings(): void {
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
    if (!child.connected) return reject(new Error('the IPC channel is closed'))
    child.send(ping, error => error && reject(error))
  })
}
