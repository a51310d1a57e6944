import { open } from 'node:fs/promises'

/** A new name is on disk when its folder is: fsync of the file alone keeps the bytes and may lose the name. */
export async function fsyncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
