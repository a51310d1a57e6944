import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM. `purpose` is bound to the text: what was sealed for something else does not open. */
export function seal(key: Buffer, purpose: string, plain: Buffer): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Null for another key, another purpose or changed bytes. */
export function open(key: Buffer, purpose: string, sealed: string): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < ivBytes + tagBytes) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
  } catch {
    return null // a wrong key or changed bytes
  }
}
