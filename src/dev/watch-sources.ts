import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Editors and git change several files at once, and write some of them in two steps. */
const settleMs = 60

/**
 * Calls `onEdit` with the paths of files that may have changed, soon after the last change. Each folder has a watcher of its own: on Linux,
 * Node's recursive one loses a file that an editor replaces instead of writing to it.
 */
export function watchSources(
  root: string,
  names: { folder: string; file: string },
  onEdit: (paths: ReadonlySet<string>) => void,
): { stop(): void } {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function note(path: string): void {
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const paths = new Set(changed)
      changed.clear()
      onEdit(paths)
    }, settleMs)
  }

  function add(folder: string): void {
    if (watchers.has(folder)) return
    const watcher = watch(folder, (event, name) => {
      if (name === null) return
      note(join(folder, name))
      if (event === 'rename') addFolders(folder)
    })
    watcher.on('error', () => remove(folder)) // the folder is gone
    watchers.set(folder, watcher)
  }

  function remove(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  /** Files may already be in a folder that is new. */
  function addFolders(folder: string): void {
    for (const entry of listEntries(folder)) {
      const path = join(folder, entry.name)
      if (!entry.isDirectory() || watchers.has(path)) continue
      add(path)
      addFolders(path)
      for (const inside of listEntries(path)) note(join(path, inside.name))
    }
  }

  add(join(root, names.folder))
  addFolders(join(root, names.folder))
  changed.clear()
  clearTimeout(timer)
  watchers.set(
    root,
    watch(root, (_, name) => name === names.file && note(join(root, names.file))),
  )
  return {
    stop: () => {
      clearTimeout(timer)
      for (const folder of [...watchers.keys()]) remove(folder)
    },
  }
}

/** Empty if the folder has just been deleted. */
function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
