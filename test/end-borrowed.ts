import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A file with a line for each Hydrant that outlives its test file: process id and data folder. */
    borrowed: string
  }
}

/** Ends the Hydrants that test files have shared. */
export default function endBorrowed(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-borrowed-'))
  const list = join(folder, 'list')
  project.provide('borrowed', list)
  return () => {
    const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
    // The folder is gone if its Hydrant was stopped, and then the id may be another's.
    const left = lines.flatMap(line => {
      const [, pid = '', dataDir = ''] = /^(\d+) (.*)$/.exec(line) ?? []
      return existsSync(dataDir) ? [{ pid: Number(pid), dataDir }] : []
    })
    for (const { pid } of left) end(pid)
    for (const { dataDir } of left) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    rmSync(folder, { recursive: true, force: true })
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}
