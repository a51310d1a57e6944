import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'

/** In place of a page that is not there. A stranger's organisation and a thing that never was read the same. */
export function NotFoundCard() {
  return (
    <>
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
        It may have been removed, kept no longer than its retention, or belong to an organisation that you are not a
        member of.
      </Blank>
    </>
  )
}
