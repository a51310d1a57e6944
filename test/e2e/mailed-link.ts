import { expect } from 'vitest'
import type { Smtp } from '../channels/start-smtp.ts'

/** The link in the newest mail to an address, as a reader would click it. */
export async function mailedLink(smtp: Smtp, address: string, path: string): Promise<string> {
  const find = () => {
    const mail = smtp.mails.findLast(({ to }) => to === address)
    const text = mail?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
    return new RegExp(`http://localhost:\\d+/${path}/[\\w-]{43}(?:\\?mail=[\\w-]{43})?`).exec(text)?.[0] ?? ''
  }
  await expect.poll(find).not.toBe('')
  return find()
}
