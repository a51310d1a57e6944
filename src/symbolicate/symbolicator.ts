import type { Mapped, MapRef, Position } from './mapped.ts'

/** Positions of one minified file, and the map that leads back from it. */
export type MapTask = { ref: MapRef; positions: Position[] }

/** Answers where positions come from, in the order they were asked. Rejects only when the store is away or the thread has ended. */
export type Symbolicator = {
  resolve(tasks: MapTask[]): Promise<Mapped[][]>
  close(): Promise<void>
}
