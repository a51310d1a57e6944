/** What `npm run release` packs, apart from the built pages: every import has its file or its package, and nothing is for developers only. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Lock, packageJson, shrinkwrap } from '../bin/release/list-dependencies.ts'
import { stageCode } from '../bin/release/stage-code.ts'
import { stripCode } from '../bin/release/strip-code.ts'
import { writeTgz } from '../bin/release/write-tar.ts'

const root = join(import.meta.dirname, '..')
const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const manifest = packageJson(readJson('package.json'))
const code = stageCode(join(root, 'src'))
const texts = [...code]
  .filter(([name]) => name.endsWith('.js'))
  .map(([name, bytes]) => [name, bytes.toString()] as const)

const specifiers =
  /^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\('([^']+)'\)|new URL\('(\.[^']+)', import\.meta\.url\)/gm

describe('the code', () => {
  it('has each file that it imports, and each package among the dependencies', () => {
    const missing = texts.flatMap(([name, text]) =>
      [...text.matchAll(specifiers)]
        .map(match => match.slice(1).find(Boolean) ?? '')
        .filter(target => {
          if (/^\..*\/[^./]*$/.test(target)) return false // a folder, or a line of code in the sample data
          if (target.startsWith('#')) return !code.has(`lib/${target.slice(1)}`)
          if (target.startsWith('.')) return !code.has(join(dirname(name), target))
          if (target.startsWith('node:') || builtinModules.includes(target)) return false
          const packageName = target
            .split('/')
            .slice(0, target.startsWith('@') ? 2 : 1)
            .join('/')
          return !(packageName in manifest.dependencies)
        })
        .map(target => `${name} imports ${target}`),
    )
    // The pages load this one in the browser, and it is in their build.
    expect(missing).toEqual(['lib/web/self-report/browser-client.js imports @sentry/browser'])
    expect(texts.length).toBeGreaterThan(1000)
  })

  it('has no types, tests, pages or dev server', () => {
    const names = [...code.keys()]
    expect(names.filter(name => /\.tsx?$|\.test\.|^lib\/(?:app|ui|dev)\//.test(name))).toEqual([])
    for (const name of [
      'lib/main.js',
      'lib/cli/hydrant.js',
      'lib/cli/seed/captures/shop.json.br',
      'lib/engine/engine-process.js',
    ])
      expect(code.has(name), name).toBe(true)
  })

  it('names the files that it starts as they are in the package', () => {
    const started = texts.flatMap(([name, text]) =>
      [...text.matchAll(/join\(import\.meta\.dirname, ((?:'[^']*'(?:, )?)+)\)/g)].map(([, list = '']) =>
        join(dirname(name), ...[...list.matchAll(/'([^']*)'/g)].map(([, part = '']) => part)),
      ),
    )
    expect(started.filter(path => path.endsWith('.ts'))).toEqual([])
    const scripts = started.filter(path => path.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(4)
    expect(scripts.filter(path => !code.has(path))).toEqual([])
  })

  it('keeps lines and columns, and texts that only look like files', () => {
    const path = join(root, 'src/main.ts')
    const text = "import { runMain } from '#supervisor/run-main.ts'\nconst name: string = 'lib/db.ts'\n"
    expect(stripCode({ src: join(root, 'src'), path }, text)).toBe(
      "import { runMain } from '#supervisor/run-main.js'\nconst name         = 'lib/db.ts'\n",
    )
  })
})

describe('the dependencies', () => {
  const lock: Lock = readJson('package-lock.json')
  const wrapped = shrinkwrap(lock, manifest)

  it('are pinned by the lock file, with all that they need and nothing of the tests', () => {
    const kept = Object.keys(wrapped.packages)
    for (const name of Object.keys(manifest.dependencies)) expect(kept, name).toContain(`node_modules/${name}`)
    const ofTests = Object.entries(lock.packages).filter(([, entry]) => 'dev' in entry && entry.dev === true)
    expect(kept.filter(path => ofTests.some(([other]) => other === path))).toEqual([])
    expect(kept).toContain('node_modules/@next/env')
    expect(kept).not.toContain('node_modules/typescript')
  })

  it('have exact versions', () => {
    expect(
      Object.values(manifest.dependencies).filter(version => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
    ).toEqual([])
  })
})

describe('the archive', () => {
  const long = `package/${'folder-with-a-long-name/'.repeat(8)}file.js`
  const entries = [
    { name: long, bytes: Buffer.from('long'), isProgram: false },
    { name: 'package/bin/run.mjs', bytes: Buffer.alloc(513, 'x'), isProgram: true },
    { name: 'package/[id]/ü (1).js', bytes: Buffer.alloc(0), isProgram: false },
    { name: 'package/exact', bytes: Buffer.alloc(512, 'y'), isProgram: false },
  ]

  it('is read by tar with names, modes and sizes', () => {
    const path = join(tmpdir(), `hydrant-archive-${process.pid}.tgz`)
    writeFileSync(path, writeTgz(entries))
    try {
      const listed = execFileSync('tar', ['--utc', '-tvzf', path], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
      const rows = listed
        .trim()
        .split('\n')
        .map(line => line.split(/\s+/))
      expect(rows.map(([mode, , size, , , ...name]) => [mode, size, name.join(' ')])).toEqual([
        ['-rw-r--r--', '0', 'package/[id]/ü (1).js'],
        ['-rwxr-xr-x', '513', 'package/bin/run.mjs'],
        ['-rw-r--r--', '512', 'package/exact'],
        ['-rw-r--r--', '4', long],
      ])
    } finally {
      rmSync(path)
    }
  })

  it('is the same in any order and at any time', () => {
    expect(writeTgz(entries.toReversed()).equals(writeTgz(entries))).toBe(true)
  })
})
