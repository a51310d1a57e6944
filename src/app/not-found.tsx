import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'

export default function NotFound() {
  return (
    <main>
      <title>Not found · Hydrant</title>
      <Blank
        isPage
        title="There is nothing at this address"
        actions={
          <Link className="btn" href="/">
            Go to your issues
          </Link>
        }
        reference="404"
      >
        It may have been removed, or it belongs to an organisation that you are not a member of.
      </Blank>
    </main>
  )
}
