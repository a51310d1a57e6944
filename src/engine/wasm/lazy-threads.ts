import { createRequire } from 'node:module'
import type { Worker } from 'node:worker_threads'

type Listener = (value: unknown) => void
type PoolMessage = { cmd: string }

const threadOptions = {
  trackUnmanagedFds: false, // one thread opens a file and another closes it, so none may close it again at its end
  resourceLimits: { maxYoungGenerationSizeMb: 1 }, // they run little JavaScript; saves 3 MB each
}

/**
 * Emscripten starts a pool of 16 threads before the module is ready. Here each thread starts only when the engine gives it
 * work: the engine is ready sooner and has fewer idle isolates.
 */
export function makeThreadsLazy(): void {
  // The module takes Worker from the CommonJS exports of node:worker_threads, which can be changed.
  const threads: { Worker: unknown } = createRequire(import.meta.url)('node:worker_threads')
  const RealWorker = threads.Worker as typeof Worker

  threads.Worker = class LazyWorker {
    onmessage: ((event: { data: unknown }) => void) | undefined
    #make: () => Worker
    #real: Worker | undefined
    #listeners: [event: string, listener: Listener][] = []
    #loadMessage: PoolMessage | undefined
    #isUnreferenced = false

    constructor(...[entry, options]: ConstructorParameters<typeof Worker>) {
      this.#make = () => new RealWorker(entry, { ...options, ...threadOptions })
    }

    on(event: string, listener: Listener): void {
      this.#listeners.push([event, listener])
      this.#real?.on(event, listener)
    }

    unref(): void {
      this.#isUnreferenced = true
      this.#real?.unref()
    }

    terminate(): void {
      void this.#real?.terminate()
    }

    postMessage(message: PoolMessage, transfer?: Transferable[]): void {
      if (message.cmd === 'load') {
        this.#loadMessage = message
        setImmediate(() => this.onmessage?.({ data: { cmd: 'loaded' } }))
        return
      }
      this.#real ??= this.#start()
      this.#real.postMessage(message, transfer as [])
    }

    #start(): Worker {
      const real = this.#make()
      for (const [event, listener] of this.#listeners) real.on(event, listener)
      if (this.#isUnreferenced) real.unref()
      real.postMessage(this.#loadMessage)
      return real
    }
  }
}
