import Link from 'next/link'
import { connection } from 'next/server'

/** The least that a page of Next can be while it is drawn for each request: the limit that pages of Hydrant are held against. */
export default async function Page() {
  await connection()
  return <Link href="/elsewhere">Elsewhere</Link>
}
