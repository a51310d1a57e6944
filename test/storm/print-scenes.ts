import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { drawLedger, isFullStorm, type PlayedScene } from './ledger.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A file with a line for each scene that has ended. */
    playedScenes: string
  }
}

/** Ends the full suite with one table of all scenes. */
export default function printScenes(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-storm-'))
  const path = join(folder, 'scenes')
  project.provide('playedScenes', path)
  return () => {
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
    const scenes = lines.map(line => JSON.parse(line) as PlayedScene)
    if (isFullStorm && scenes.length > 0) process.stdout.write(`\n${scenes.map(drawScene).join('\n')}\n`)
    rmSync(folder, { recursive: true, force: true })
  }
}

function drawScene({ name, seconds, rows, error }: PlayedScene): string {
  const head = `storm: ${name}, ${Math.round(seconds)} s`
  return error === null ? `${head}\n${drawLedger(rows)}` : `${head}\n  failed: ${error}`
}
