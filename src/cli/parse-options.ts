import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true; allowPositionals: false }>
>['values']
type ParsedOptions<Options extends ParseArgsOptionsConfig> =
  | { ok: true; values: Values<Options> }
  | { ok: false; message: string }

/** Like `parseArgs`, but returns the first sentence of an error instead of throwing it. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
): ParsedOptions<Options> {
  try {
    return { ok: true, values: parseArgs({ args, options, strict: true, allowPositionals: false }).values }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, message: firstSentence(message) }
  }
}

function firstSentence(message: string): string {
  const text = message.split('\n')[0] ?? message
  return `${(text.split('. ')[0] ?? text).replace(/\.$/, '')}.`
}
