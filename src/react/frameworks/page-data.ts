/** Requests for the data of a page, recognized by their URL. */
import type { DataRequest } from './framework.ts'

const dataFolder = '/_next/data/'

/** `/_next/data/<build id>/cart.json?…` */
export const isPageData: DataRequest = {
  kind: 'data',
  why: 'The Pages Router asks for the props of a page as a JSON file of the build.',
  matches: url => {
    const folderAt = url.indexOf(dataFolder)
    if (folderAt === -1) return false
    const [buildId = '', ...path] = (url.slice(folderAt + dataFolder.length).split('?', 1)[0] ?? '').split('/')
    return buildId !== '' && path.join('/').indexOf('.json', 1) !== -1
  },
}

/** The path of a URL, or of one that is only a path. */
export const pathOf = (url: string): string => {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  const host = path.indexOf('://')
  return host === -1 ? path : path.slice(path.indexOf('/', host + 3))
}
