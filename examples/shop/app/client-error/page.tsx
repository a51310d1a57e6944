import Link from 'next/link'
import { ErrorButtons } from './error-buttons.tsx'

export default function ClientErrorPage() {
  return (
    <>
      <h1>Errors</h1>
      <p className="quiet">Each button goes wrong in its own way.</p>
      <ErrorButtons />
      <p className="row">
        {/* Prefetching these would raise their errors before anyone asked for them. */}
        <Link href="/boom" prefetch={false}>
          A server component that throws
        </Link>
        <Link href="/hydration" prefetch={false}>
          A page that hydrates wrongly
        </Link>
        <Link href="/items/unknown" prefetch={false}>
          An item that is not there
        </Link>
      </p>
    </>
  )
}
