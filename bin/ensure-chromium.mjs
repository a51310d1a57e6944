/** The browser tests drive the system's own Chromium; nothing is downloaded by us. */
import { spawnSync } from 'node:child_process'

/** Whether there is a Chromium now. As root, as in CI, the build without windows is installed too: it halves what the browser tests cost. */
export function ensureChromium(say) {
  const has = name => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
  const isRoot = process.getuid?.() === 0
  const isThere = ['chromium', 'chromium-browser', 'google-chrome'].some(has)
  if (has('chromium-headless-shell') || process.platform === 'darwin' || (isThere && !(isRoot && has('apt-get'))))
    return true
  say('Installing Chromium through apt-get, for the browser tests (once).')
  const install = name => {
    const script = `apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q ${name}`
    const words = [...(isRoot ? [] : ['sudo', '-n']), 'sh', '-c', script]
    return (
      spawnSync(words[0], words.slice(1), { stdio: ['ignore', 'ignore', isThere ? 'ignore' : 'inherit'] }).status === 0
    )
  }
  if (install('chromium-headless-shell') || isThere || install('chromium')) return true
  say('Chromium is missing and could not be installed by apt-get. Install it with your package manager and try again.')
  return false
}
