/**
 * `npm test`: installs what tests need, then every check in order, and ends with one plain line, `N passed, M failed`.
 * `--check` is the quick half (types, lint, dead code, import table, unit tests); `--long` also runs what is marked as long
 * (`test/long.ts`); `--faults` has many rounds of kills and fuzz, `--attack` many rounds of the attack suite, `--storm` the
 * scenes of the storm suite at full size.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureChromium } from './ensure-chromium.mjs'
import { ensureBuilt, ensureCompiled, prepare, runEnv } from './prepare.mjs'
import { runTimed } from './run-timed.mjs'
import { printTimes, readFileTimes, sumLeftRunning, writeTimes } from './test-times.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const inModules = (...parts) => join(root, 'node_modules', ...parts)
const node = inModules('.bin', 'node')
const isCheck = process.argv.includes('--check')
const isFaults = process.argv.includes('--faults')
const isAttack = process.argv.includes('--attack')
const isStorm = process.argv.includes('--storm')
if (isFaults || isAttack || process.argv.includes('--long')) process.env.HYDRANT_LONG = '1'
const isLong = process.env.HYDRANT_LONG === '1'
const scratch = mkdtempSync(join(roomyFolder(), 'hydrant-test-'))
chmodSync(scratch, 0o711) // PostgreSQL does not run as root, and its folder is in here
const total = { passed: 0, failed: 0 }
/** Tests that failed, or passed only when they ran again alone. They are named at the end of the output. */
const notes = []
/** More files than this have a common reason. */
const mostFilesAgain = 3
/** Of the steps and of the test files, to see where a run spends its time. */
const times = { steps: [], files: [] }

await prepare({ build: isFaults || isAttack || isStorm, dev: true })
if (!isCheck && !ensureChromium(say)) {
  process.stdout.write(`\n${total.passed} passed, ${total.failed + 1} failed\n`)
  process.exit(1)
}

// The short run is the same every time; a long one looks elsewhere each time. The tests print the seed that repeats it.
const freshSeed = { HYDRANT_SEED: process.env.HYDRANT_SEED ?? String(Date.now() % 1_000_000_000) }
if (isFaults) await suite(['faults'], { HYDRANT_FAULT_ROUNDS: '200', HYDRANT_FUZZ_COUNT: '1000000', ...freshSeed })
else if (isAttack) await suite(['security'], { HYDRANT_ATTACK_ROUNDS: '1000' })
else if (isStorm) await suite(['storm'], { HYDRANT_STORM: 'full' })
else {
  await Promise.all([
    buildAndCheckTypes(),
    readCode(),
    suite(['unit']), // needs no build
    ...(isCheck ? [] : [ensureCompiled({ say })]),
  ])
  // Together, so that one with little left to do does not keep the next from beginning.
  if (!isCheck) await suite(['contract', 'e2e', 'security', 'faults', 'storm'])
}

rmSync(scratch, { recursive: true, force: true })
printTimes(times, say)
if (process.env.HYDRANT_TEST_TIMES) writeTimes(process.env.HYDRANT_TEST_TIMES, times)
for (const note of notes) say(note)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exit(total.failed === 0 ? 0 : 1)

/**
 * Next writes types of the routes, which are checked too. The shop is only in the long run. It is built after the pages, because two
 * builds at once need too much memory, and installed meanwhile, because that waits for the registry.
 */
async function buildAndCheckTypes() {
  const types = async () => {
    await step('types of routes', node, [inModules('next', 'dist', 'bin', 'next'), 'typegen'])
    // More checkers than cores repeat each other's work, and its garbage collector is a fifth of the time by default.
    const tsc = [inModules('typescript', 'bin', 'tsc'), '--noEmit', '-p', '.', '--checkers', '2']
    await step('types', node, tsc, { GOGC: '400' })
  }
  if (isCheck) return types()
  const shop = join(root, 'test/clients/build-shop.ts')
  const [build] = await Promise.all([ensureBuilt({ say }), isLong && run(node, [shop, '--install'], 'pipe')])
  if (build) times.steps.push({ name: 'build', ...build })
  await Promise.all([types(), isLong && step('example shop', node, [shop])])
}

async function readCode() {
  await step('lint', inModules('.bin', 'biome'), ['check', '--error-on-warnings', '.'])
  await step('dead code', node, [inModules('knip', 'bin', 'knip.js')])
}

/** Tests make and sync thousands of files that nobody needs afterwards: in memory, where there is enough of it. */
function roomyFolder() {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(memory)
    return process.env.TMPDIR === undefined && bavail * bsize > 8e9 ? memory : tmpdir()
  } catch {
    return tmpdir() // no such place here
  }
}

function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}

/** A check that is one program: it counts as one. */
async function step(name, command, args, env = {}) {
  const { code, words, wallMs, cpuMs } = await run(command, args, 'pipe', env)
  const isFine = code === 0
  total[isFine ? 'passed' : 'failed'] += 1
  times.steps.push({ name, wallMs, cpuMs })
  process.stdout.write(`${isFine ? 'ok  ' : 'FAIL'} ${name} (${seconds(wallMs)})\n${isFine ? '' : `${words}\n`}`)
}

/** Suites of tests: every test counts, and a suite that could not run at all is a failure. */
async function suite(names, env = {}) {
  const name = names.join(', ')
  const durations = join(scratch, `${names.join('-')}-durations`)
  const own = { HYDRANT_TEST_DURATIONS: durations, HYDRANT_PAGES: 'built' } // the unit tests need no pages
  const { wallMs, cpuMs, ...first } = await runTests(names, [], { ...own, ...env })
  const files = readFileTimes(durations)
  times.files.push(...files)
  times.steps.push({ name, wallMs, cpuMs: cpuMs && cpuMs + sumLeftRunning(files) })
  const counts = await runAgain(names, first, { ...own, ...env })
  total.passed += counts.passed
  total.failed += counts.failed
  process.stdout.write(
    `${counts.failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${counts.passed} passed, ${counts.failed} failed in ${seconds(wallMs)}\n`,
  )
}

async function runTests(names, paths, env) {
  const report = join(scratch, `${names.join('-')}${paths.length === 0 ? '' : '-again'}.json`)
  const args = [
    inModules('vitest', 'vitest.mjs'),
    'run',
    ...names.flatMap(one => ['--project', one]),
    ...paths,
    ...(paths.length === 0 ? [] : ['--maxWorkers', '1']),
    '--reporter',
    'default',
    '--reporter',
    'json',
    '--outputFile.json',
    report,
  ]
  const { code, wallMs, cpuMs } = await run(node, args, 'inherit', env)
  const counts = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 1, testResults: [] }
  // A runner that could not even begin may end with 0: where nothing passed, something is wrong.
  const isBroken = counts.numFailedTests === 0 && (code !== 0 || counts.numPassedTests === 0)
  const failures = counts.testResults.filter(({ status }) => status === 'failed').map(nameFailure)
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + (isBroken ? 1 : 0),
    isBroken,
    failures,
    wallMs,
    cpuMs,
  }
}

function nameFailure({ name, assertionResults }) {
  return {
    path: relative(root, name),
    tests: assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages: [message = ''] }) => ({
        fullName,
        reason: message.split('\n', 1)[0].slice(0, 300),
      })),
  }
}

/**
 * Up to three files that failed run once more, one after the other with nothing beside them. What passes then has failed because of the
 * load or of its neighbors: it is named, but no reason to stop.
 */
async function runAgain(names, { passed, failed, isBroken, failures }, env) {
  if (failed === 0) return { passed, failed }
  const paths = failures.map(({ path }) => path)
  const mayRepeat =
    !isBroken && paths.length > 0 && paths.length <= mostFilesAgain && failures.every(({ tests }) => tests.length > 0)
  if (mayRepeat) process.stdout.write(`\nOnce more, by themselves: ${paths.join(', ')}\n`)
  const again = mayRepeat ? await runTests(names, paths, env) : null
  const isFlaky = again !== null && again.failed === 0
  for (const { path, tests } of failures)
    for (const { fullName, reason } of tests)
      notes.push(`${isFlaky ? 'FLAKY (passed when it ran again)' : 'FAIL'} ${path}: ${fullName}: ${reason}`)
  return isFlaky ? { passed: passed + failed, failed: 0 } : { passed, failed }
}

function run(command, args, output, env = {}) {
  return runTimed(command, args, {
    cwd: root,
    // As npm start does: most of what tests start is Hydrant.
    env: { ...{ ...runEnv, ...process.env, TMPDIR: scratch, ...env }, CI: process.env.CI ?? 'true' },
    output,
  })
}
