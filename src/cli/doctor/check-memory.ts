import { join } from 'node:path'
import type { Config } from '#config.ts'
import { readMemoryLimit } from '#lib/memory-limit.ts'
import { describeShortage, engineKindHere, minimumBytes, planMemory } from '#supervise/memory-plan.ts'
import { type Check, fail, ok, warn } from './check.ts'

const name = 'memory'
const root = join(import.meta.dirname, '..', '..', '..')
const inMiB = (bytes: number): string => `${Math.floor(bytes / (1024 * 1024))} MiB`

export function checkMemory({ clickhouseUrl }: Config): Check {
  const limit = readMemoryLimit()
  const kind = engineKindHere(root, clickhouseUrl)
  const shortage = describeShortage(limit.bytes, kind)
  if (shortage !== null) return fail(name, shortage, 'Hydrant does not start with less.')
  const source = limit.isFromCgroup ? 'the limit of its control group' : 'what the machine has'
  const sentence = `Hydrant may use ${inMiB(limit.bytes)}, ${source}; it needs at least ${inMiB(minimumBytes[kind])}.`
  if (!planMemory(limit.bytes, kind).isTight) return ok(name, sentence)
  return warn(name, sentence, 'It works in smaller batches below 2048 MiB. Where load grows, give it more.')
}
