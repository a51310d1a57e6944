/** The servers and commands as JavaScript, in `lib/`. Pages and components are in the build, and `npm run dev` is not for users. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from './list-files.ts'
import { stripCode } from './strip-code.ts'

const left = /\.test\.ts$|\.tsx$|\.css$|\.d\.ts$|^(?:app|ui|dev)\/|^instrumentation/

/** By path below the package. */
export function stageCode(src: string): Map<string, Buffer> {
  const staged = new Map<string, Buffer>()
  for (const name of listFiles(src)) {
    if (left.test(name)) continue
    const path = join(src, name)
    const bytes = readFileSync(path)
    if (name.endsWith('.ts'))
      staged.set(`lib/${name.replace(/\.ts$/, '.js')}`, Buffer.from(stripCode({ src, path }, bytes.toString())))
    else staged.set(`lib/${name}`, bytes)
  }
  return staged
}
