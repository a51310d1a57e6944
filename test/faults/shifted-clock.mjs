/** Preloaded into every process and thread of a Hydrant under test (`node --import`): shifts the wall clock by the milliseconds in a file. */
import { readFileSync, statSync } from 'node:fs'

const path = process.env.SHIFTED_CLOCK_FILE
if (path) {
  const RealDate = Date
  let offsetMs = 0
  let readAt = 0
  const offset = () => {
    const now = performance.now()
    if (now - readAt > 20 || readAt === 0) {
      // `set` waits for longer
      readAt = now
      if (statSync(path, { throwIfNoEntry: false })) offsetMs = Number(readFileSync(path, 'utf8')) || 0
    }
    return offsetMs
  }
  globalThis.Date = class ShiftedDate extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + offset())
      else super(...args)
    }
    static now() {
      return RealDate.now() + offset()
    }
    // Next.js copies only what the class itself has.
    static UTC = RealDate.UTC
    static parse = RealDate.parse
  }
}
