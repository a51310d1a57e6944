// Next has no exports map: TypeScript (nodenext) resolves `next/link.js`, but Next's bundler wants `next/link`.
// These declarations map the bundler's names to the types.
declare module 'next/headers' {
  export * from 'next/headers.js'
}
declare module 'next/navigation' {
  export * from 'next/navigation.js'
}
declare module 'next/link' {
  import link from 'next/link.js'

  const Link: typeof link.default
  export default Link
  export const useLinkStatus: typeof link.useLinkStatus
}
declare module 'next/cache' {
  export * from 'next/cache.js'
}
declare module 'next/server' {
  export * from 'next/server.js'
}
