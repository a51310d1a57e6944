import Bowser from 'bowser'

/** `Firefox on Windows`. Only what members recognize, without versions. */
export function describeAgent(userAgent: string): string {
  if (userAgent === '') return 'Unknown device'
  const { browser, os, platform } = Bowser.parse(userAgent)
  const system = os.name ?? platform.vendor
  if (browser.name === undefined || browser.name === '') return system ?? 'Unknown device'
  return system ? `${browser.name} on ${system}` : browser.name
}

const methods: Record<string, string> = {
  password: 'password',
  totp: 'password and app',
  recovery: 'recovery code',
  passkey: 'passkey',
  link: 'sign-in link',
  proxy: 'proxy',
  oidc: 'single sign-on',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
}

/** Of a session. */
export const describeMethod = (method: string | null): string => (method === null ? '–' : (methods[method] ?? method))
