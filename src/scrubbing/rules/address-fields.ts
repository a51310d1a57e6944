/** Fields that hold the IP address of a client: in users, headers, environments and attributes. */
const separators = /[-_.\s]/g
const addressKey =
  /(?:remoteaddr|remoteaddress|clientip|clientaddress|forwardedfor|realip|connectingip|peerip|peeraddr|peeraddress|sourceip|sourceaddress|externaladdress|ipaddress|ipaddr|userip|headerforwarded)$|^(?:ip|forwarded)$/

const known = new Map<string, boolean>()
const knownKeys = 10_000
const knownKeyChars = 128

export function isAddressKey(key: string): boolean {
  const before = known.get(key)
  if (before !== undefined) return before
  const isAddress = key.length <= knownKeyChars && addressKey.test(key.toLowerCase().replace(separators, ''))
  if (known.size < knownKeys && key.length <= knownKeyChars) known.set(key, isAddress)
  return isAddress
}
