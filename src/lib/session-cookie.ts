export const cookiePrefix = 'hydrant'

/** On https its name has a prefix. */
export const sessionCookie = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${cookiePrefix}\\.session_token=([^;]*)`)
