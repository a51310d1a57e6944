import { spawn } from 'node:child_process'

/** Prints what its children have used, once they have ended: Node itself can say that only for all of its children together. */
const script = '"$@" 3>&-; code=$?; times >&3; exit $code'

/**
 * Runs a program and measures it. CPU time includes the children that it has waited for; it is null off Linux, where tests cannot
 * measure what they leave running. `output` is 'inherit' or 'pipe'.
 */
export async function runTimed(command, args, { output, ...options }) {
  const begun = performance.now()
  const child = spawn('sh', ['-c', script, 'sh', command, ...args], {
    ...options,
    stdio: ['ignore', output, output, 'pipe'],
  })
  const words = []
  let times = ''
  child.stdout?.on('data', chunk => words.push(chunk))
  child.stderr?.on('data', chunk => words.push(chunk))
  child.stdio[3].on('data', chunk => (times += chunk))
  const code = await new Promise(resolve => {
    child.on('error', error => {
      words.push(Buffer.from(error.message))
      resolve(1)
    })
    child.on('close', resolve)
  })
  return { code, words: Buffer.concat(words).toString(), wallMs: performance.now() - begun, cpuMs: readTimes(times) }
}

/** `0m1.5s 0m0.2s` in the second line: what the shell's children have used, as user and in the kernel. */
function readTimes(text) {
  const [, ofChildren = ''] = text.split('\n')
  const parts = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.length === 2 && process.platform === 'linux'
    ? parts.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0)
    : null
}
