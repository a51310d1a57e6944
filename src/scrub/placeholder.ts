/** What stands where something private stood. */
export const scrubbed = '[scrubbed]'

/** What SDKs put there themselves: left alone, so that a reader sees who removed it. */
export const filteredBySdk = '[Filtered]'
