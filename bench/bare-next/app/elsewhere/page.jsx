import { connection } from 'next/server'

/** Where the link of the first page leads: the least that a client-side navigation can take. */
export default async function Elsewhere() {
  await connection()
  return <h1>Elsewhere</h1>
}
