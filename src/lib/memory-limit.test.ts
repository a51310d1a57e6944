import { expect, test } from 'vitest'
import { readMemoryLimit } from './memory-limit.ts'

const GiB = 1024 ** 3

const limitOf = (files: Record<string, string>) =>
  readMemoryLimit({
    totalBytes: 8 * GiB,
    readText: path => {
      const text = files[path]
      if (text === undefined) throw new Error(`ENOENT: ${path}`)
      return text
    },
  })

test('the limit of a container applies when its cgroup is the root that it sees', () => {
  const files = { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': `${GiB}\n` }
  expect(limitOf(files)).toEqual({ bytes: GiB, isFromCgroup: true })
})

test('the smallest limit in the hierarchy applies', () => {
  const files = {
    '/proc/self/cgroup': '0::/system.slice/hydrant.service\n',
    '/sys/fs/cgroup/system.slice/hydrant.service/memory.max': `${2 * GiB}`,
    '/sys/fs/cgroup/system.slice/memory.max': `${1.5 * GiB}`,
    '/sys/fs/cgroup/memory.max': 'max',
  }
  expect(limitOf(files).bytes).toBe(1.5 * GiB)
})

test('memory.high is a limit too, because the kernel throttles above it', () => {
  const files = {
    '/proc/self/cgroup': '0::/app\n',
    '/sys/fs/cgroup/app/memory.max': 'max\n',
    '/sys/fs/cgroup/app/memory.high': `${GiB}\n`,
  }
  expect(limitOf(files).bytes).toBe(GiB)
})

test('cgroup v1 is read, even next to an empty v2 tree', () => {
  const files = {
    '/proc/self/cgroup': '9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${GiB}\n`,
  }
  expect(limitOf(files).bytes).toBe(GiB)
})

test('without a limit the memory of the machine applies', () => {
  const files = {
    '/proc/self/cgroup': '4:memory:/app\n0::/\n',
    '/sys/fs/cgroup/memory/app/memory.limit_in_bytes': '9223372036854771712\n',
    '/sys/fs/cgroup/memory.max': 'max\n',
  }
  expect(limitOf(files)).toEqual({ bytes: 8 * GiB, isFromCgroup: false })
  expect(limitOf({})).toEqual({ bytes: 8 * GiB, isFromCgroup: false })
})
