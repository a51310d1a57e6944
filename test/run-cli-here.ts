import { runCli } from '../src/cli/run-cli.ts'

/** Of the control database alone. Starting a process for one of them takes a second of processor time, and its work some milliseconds. */
const quick = new Set(['user', 'token', 'login-link', 'alerts', 'audit'])

/** Not with a clock that the test moves: it is of other processes. */
export const canRunHere = ([command = '']: string[], env: NodeJS.ProcessEnv): boolean =>
  quick.has(command) && env.SHIFTED_CLOCK_FILE === undefined

/** Runs a command of `hydrant` in this process, with the settings of a Hydrant, and gives what it printed. */
export async function runCliHere(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const own = process.env
  let [stdout, stderr] = ['', '']
  process.env = env
  try {
    const code = await runCli(args, {
      print: text => void (stdout += `${text}\n`),
      printError: text => void (stderr += `${text}\n`),
      readInput: () => Promise.resolve(''),
    })
    if (code === 0) return stdout
    throw Object.assign(new Error(`hydrant ${args.join(' ')} ended with ${code}: ${stderr}`), { code, stdout, stderr })
  } finally {
    process.env = own
  }
}
