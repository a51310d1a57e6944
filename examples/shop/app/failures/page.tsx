import Link from 'next/link'
import { rename } from './actions.ts'
import { FailureButtons } from './failure-buttons.tsx'

export default function FailuresPage() {
  return (
    <>
      <h1>Failures</h1>
      <p className="quiet">What a server-rendered app runs into: some of it is noise, some of it is not.</p>
      <FailureButtons />
      <form action={rename}>
        <label>
          Name of the basket <input name="name" defaultValue="Spring" />
        </label>
        <button type="submit">Rename</button>
      </form>
      <p className="row">
        {/* Prefetching these would raise their errors before anyone asked for them. */}
        <Link href="/mismatch/clock" prefetch={false}>
          A page that asks the clock
        </Link>
        <Link href="/mismatch/nesting" prefetch={false}>
          A page with invalid nesting
        </Link>
      </p>
    </>
  )
}
