import Link from 'next/link'

export default function NotFound() {
  return (
    <>
      <h1>Not here</h1>
      <p>
        Nothing grows at this address. <Link href="/">Back to the shop</Link>
      </p>
    </>
  )
}
