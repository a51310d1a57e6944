import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const shownFiles = 10

/** As `test/measure-file.ts` writes them. */
export function readFileTimes(path) {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8').split('\n').filter(Boolean).map(JSON.parse)
}

/** The CPU time of what each process of tests had left running after its last file: whoever ends that later, nobody has waited for it. */
export function sumLeftRunning(files) {
  return sum([...new Map(files.map(file => [file.pid, file])).values()], 'leftMs')
}

export function printTimes({ steps, files }, say) {
  say('\nTime and CPU time:')
  for (const { name, wallMs, cpuMs } of steps) say(row(wallMs, cpuMs, name))
  const suites = sumSuites(files)
  if (suites.length > 1) {
    say('\nOf the files of each suite, which run side by side:')
    for (const { name, wallMs, cpuMs } of suites) say(row(wallMs, cpuMs, name))
  }
  printFiles('The test files that took longest', files, 'wallMs', say)
  if (hasCpu(files)) printFiles('The test files that used the most CPU time', files, 'cpuMs', say)
}

/** Tab-separated: suite, file, wall seconds, CPU seconds. Steps come first, and have no file. */
export function writeTimes(path, { steps, files }) {
  const rows = [
    ['suite', 'file', 'wall', 'cpu'],
    ...steps.map(({ name, wallMs, cpuMs }) => [name, '', inSeconds(wallMs), inSeconds(cpuMs)]),
    ...files
      .toSorted((a, b) => b.wallMs - a.wallMs)
      .map(({ suite, file, wallMs, cpuMs }) => [suite, file, inSeconds(wallMs), inSeconds(cpuMs)]),
  ]
  writeFileSync(path, `${rows.map(cells => cells.join('\t')).join('\n')}\n`)
}

function printFiles(title, files, by, say) {
  const most = files.toSorted((a, b) => b[by] - a[by]).slice(0, shownFiles)
  if (most.length === 0) return
  say(`\n${title}:`)
  for (const { file, wallMs, cpuMs } of most) say(row(wallMs, cpuMs, file))
}

function sumSuites(files) {
  const names = [...new Set(files.map(({ suite }) => suite))].sort()
  return names.map(name => {
    const own = files.filter(({ suite }) => suite === name)
    return { name, wallMs: sum(own, 'wallMs'), cpuMs: hasCpu(own) ? sum(own, 'cpuMs') : null }
  })
}

const hasCpu = files => files.every(({ cpuMs }) => cpuMs !== null)
const sum = (files, key) => files.reduce((total, file) => total + file[key], 0)
const inSeconds = ms => (ms === null ? '' : (ms / 1000).toFixed(1))
const row = (wallMs, cpuMs, name) =>
  `${`${inSeconds(wallMs)} s`.padStart(10)}${cpuMs === null ? '' : `${inSeconds(cpuMs)} s CPU`.padStart(14)}  ${name}`
