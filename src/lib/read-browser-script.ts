import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** The source of a script for customers' pages, without types, comments and indentation. */
export const readBrowserScript = (path: string): string =>
  stripTypeScriptTypes(readFileSync(path, 'utf8'))
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim()
