import type { Failure } from './failure.ts'

/** The visitor's line or a server that is away. SDKs add the host in brackets. Safari has no stack for these, so a stack decides nothing. */
export const networkFailures: readonly Failure[] = [
  {
    says: 'part of the app could not be loaded',
    type: 'ChunkLoadError',
    tells: 'all',
    wordings: [
      /^(?:ChunkLoadError: )?(?:Loading (?:CSS )?chunk .{1,300} failed|Failed to load chunk )/s,
      /^(?:Uncaught )?(?:\(in promise\):? )?ChunkLoadError\b/,
      /^Failed to fetch dynamically imported module: /,
      /^error loading dynamically imported module/,
      /^Importing a module script failed\.?$/,
    ],
  },
  {
    says: 'network request failed {host}',
    onlyTypes: ['TypeError', 'NetworkError', 'AxiosError', 'Error'],
    type: 'NetworkError',
    tells: 'all',
    wordings: [
      /^Failed to fetch(?: \((?<host>[^)]{1,255})\))?$/,
      /^NetworkError when attempting to fetch resource\.(?: \((?<host>[^)]{1,255})\))?$/,
      /^Load failed(?: \((?<host>[^)]{1,255})\))?$/,
      /^(?:The network connection was lost|The Internet connection appears to be offline|A server with the specified hostname could not be found|Could not connect to the server)\.$/,
      /^(?:Network request failed|Network Error|network error)$/,
    ],
  },
  {
    says: 'request aborted',
    onlyTypes: ['AbortError'],
    tells: 'all',
    wordings: [
      /^(?:AbortError: )?(?:signal is aborted without reason|The user aborted a request)\.?$/,
      /^(?:AbortError: )?(?:The operation was aborted|Fetch is aborted|Fetch request was aborted|This operation was aborted)\.? ?$/,
    ],
  },
  {
    says: 'request timed out',
    onlyTypes: ['TimeoutError', 'TypeError'],
    type: 'TimeoutError',
    tells: 'all',
    wordings: [
      /^(?:TimeoutError: )?signal timed out\.?$/,
      /^(?:TimeoutError: )?The operation timed out\.?$/,
      /^The request timed out\.$/,
    ],
  },
]
