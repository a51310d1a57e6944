import { contentSecurityPolicy } from '#web/security-headers.ts'

/** React evaluates code to show the stacks of the server in the browser, and Next's error overlay adds styles without a nonce. */
export const devContentSecurityPolicy = (nonce: string): string =>
  contentSecurityPolicy(nonce)
    .split('; ')
    .map(directive => {
      if (directive.startsWith('script-src ')) return `${directive} 'unsafe-eval'`
      return directive.startsWith('style-src ') ? "style-src 'self' 'unsafe-inline'" : directive
    })
    .join('; ')
