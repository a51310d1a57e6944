/**
 * Which files a program loads, with their texts. Plain JavaScript without dependencies, because the programs in bin/ run on the Node of
 * the machine.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Imports of values, workers and assets, which are named by their URL, and what style sheets load. Types are erased. */
const patternsOfCode = [
  /^(?:import|export)\s+(?!type\b)(?:[^'"]*?from\s+)?'([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
  /new URL\('([^']+)', import\.meta\.url\)/g,
]
const patternsOfStyles = [
  /@import\s+(?:url\()?['"]?([^'")\s;]+)/g,
  /\burl\(\s*['"]?([^'")]+)/g,
  /\bfrom\s+['"]([^'"]+)['"]/g,
]

/** By absolute path, without tests. `entries` are files and folders below `root`. */
export function readImportGraph(root, entries) {
  const graph = new Map()
  const waiting = entries.map(entry => join(root, entry))
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (graph.has(path) || /\.test\.tsx?$/.test(path)) continue
    if (isFolder(path)) {
      waiting.push(...readdirSync(path).map(name => join(path, name)))
      continue
    }
    const text = readText(path)
    graph.set(path, text)
    const isStyle = path.endsWith('.css')
    for (const pattern of isStyle ? patternsOfStyles : patternsOfCode)
      for (const [, target] of text.matchAll(pattern)) {
        if (target.startsWith('#')) waiting.push(join(root, 'src', target.slice(1)))
        else if (target.startsWith('.')) waiting.push(join(dirname(path), target))
        else if (isStyle && existsSync(join(dirname(path), target))) waiting.push(join(dirname(path), target))
      }
  }
  return graph
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Empty if the file is missing. */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
