/** Main's view of web and the engine: the dev program starts them, and they outlive main. */
import { EventEmitter, once } from 'node:events'
import { readCounts } from '#lib/push-counts.ts'
import type { TurnCounts } from '#lib/turns.ts'
import type { Child } from '#supervisor/keep-alive.ts'
import type { MainParts } from '#supervisor/run-main.ts'
import { isTailRequest } from '#supervisor/tail-relay.ts'
import { type FromMain, isMessage, type ToMain } from './messages.ts'

type Parts = Pick<MainParts, 'startWeb' | 'startEngine'> & {
  /** Resolves when web is up, or has failed and waits for an edit. */
  whenWebSettled(): Promise<void>
}

export function adoptChildren(): Parts {
  const pids: { web: number | null; engine: number | null } = { web: null, engine: null }
  let isWebBroken = false
  const changes = new EventEmitter().setMaxListeners(0)
  onToMain(message => {
    if (message.type !== 'children') return
    Object.assign(pids, { web: message.web, engine: message.engine })
    isWebBroken = message.isWebBroken
    changes.emit('change')
  })

  async function whenUp(name: keyof typeof pids): Promise<number> {
    for (;;) {
      const pid = pids[name]
      if (pid !== null) return pid
      await once(changes, 'change')
    }
  }

  return {
    whenWebSettled: async () => {
      while (pids.web === null && !isWebBroken) await once(changes, 'change')
    },
    startEngine: async () => adopt(await whenUp('engine')),
    startWeb: async (_socketPath, _env, _memory, { tail, onReads }) => {
      let connected: number | null = null
      const connect = () => {
        if (pids.web === null || pids.web === connected) return
        connected = pids.web
        tail.connectWeb(message => send({ type: 'to_web', message }))
      }
      changes.on('change', connect)
      onToMain(toMain => {
        if (toMain.type !== 'from_web') return
        if (isTailRequest(toMain.message)) tail.fromWeb(toMain.message)
        const counts = readCounts<TurnCounts>('reads', toMain.message)
        if (counts !== null) onReads(counts)
      })
      const pid = await whenUp('web')
      connect()
      return adopt(pid)
    },
  }
}

/** The dev program notices when it ends, and starts it again on the same socket. */
const adopt = (pid: number): Child => ({
  pid,
  exited: new Promise(() => undefined),
  ping: () => Promise.resolve(),
  stop: () => Promise.resolve(),
})

export const send = (message: FromMain): void => void (process.connected && process.send?.(message))

export function onToMain(handle: (message: ToMain, given: unknown) => void): void {
  process.on('message', (message, given) => {
    if (isMessage(message)) handle(message as ToMain, given)
  })
}
