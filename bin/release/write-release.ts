/**
 * Writes `hydrant-<version>.tgz`, which npm installs anywhere, and `hydrant-<version>.tar.gz`, which unpacks into a folder with a start
 * script. The same commit gives the same bytes. Runs on the project's own Node, and reads the pages that are built.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageJson, shrinkwrap } from './list-dependencies.ts'
import { stageCode } from './stage-code.ts'
import { stagePages } from './stage-pages.ts'
import { stripCode } from './strip-code.ts'
import { writeTgz } from './write-tar.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const copied = ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'bin/ensure-engine.mjs', 'bin/run-program.mjs']
/** For those who unpack the archive: installs the packages once, then runs Hydrant. */
const startScript = `#!/bin/sh
folder=$(cd "$(dirname "$0")" && pwd)
if [ ! -d "$folder/node_modules" ]; then
  (cd "$folder" && npm install --omit=dev --no-audit --no-fund) || exit 1
fi
exec node "$folder/bin/hydrant.mjs" "$@"
`
const target = resolve(process.argv[2] ?? join(root, 'release'))

const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const manifest = packageJson(project)
const { version } = manifest
const files = stageRelease()
mkdirSync(target, { recursive: true })
write(`hydrant-${version}.tgz`, entriesIn('package', files))
write(`hydrant-${version}.tar.gz`, entriesIn(`hydrant-${version}`, files))

/** By path in the package. */
function stageRelease(): Map<string, Buffer> {
  const json = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const path = join(root, 'next.config.ts')
  const files = stageCode(join(root, 'src'))
  for (const [name, bytes] of stagePages(join(root, '.next'))) files.set(`.next/${name}`, bytes)
  for (const name of copied) files.set(name, readFileSync(join(root, name)))
  files.set('bin/hydrant.mjs', readFileSync(join(root, 'bin', 'packaged-hydrant.mjs')))
  files.set('hydrant', Buffer.from(startScript))
  files.set('next.config.mjs', Buffer.from(stripCode({ src: join(root, 'src'), path }, readFileSync(path, 'utf8'))))
  files.set('package.json', json(manifest))
  files.set('npm-shrinkwrap.json', json(shrinkwrap(lock, manifest)))
  return files
}

function entriesIn(folder: string, files: ReadonlyMap<string, Buffer>) {
  return [...files].map(([name, bytes]) => ({
    name: `${folder}/${name}`,
    bytes,
    isProgram: name === 'hydrant' || name === 'bin/hydrant.mjs',
  }))
}

function write(name: string, entries: ReturnType<typeof entriesIn>): void {
  const bytes = writeTgz(entries)
  writeFileSync(join(target, name), bytes)
  const size = `${(bytes.length / 1e6).toFixed(1)} MB, ${entries.length} files`
  process.stdout.write(`${join(target, name)}  ${size}, sha256 ${createHash('sha256').update(bytes).digest('hex')}\n`)
}
