// Next has no exports map, so under nodenext TypeScript wants `next/link.js` where Next's bundler wants `next/link`.
// These lines give the names that the bundler knows the types of the files behind them.
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
declare module 'next/form' {
  import form from 'next/form.js'

  const Form: typeof form.default
  export default Form
}
declare module 'next/cache' {
  export * from 'next/cache.js'
}
declare module 'next/server' {
  export * from 'next/server.js'
}
