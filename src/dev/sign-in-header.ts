/** Main adds it to requests that web signs in, after it has removed what the client sent under this name. */
export const signInHeader = 'hydrant-dev-sign-in'
