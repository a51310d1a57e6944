import { Blank } from '#ui/blank.tsx'

/** Inside the organisation's frame: the rail stays, so the way on is beside it. */
export default function NotFound() {
  return (
    <>
      <title>Not found · Hydrant</title>
      <Blank isPage title="There is nothing at this address" reference="404">
        It may have been removed, or kept no longer than its retention. Issues and projects are in the navigation.
      </Blank>
    </>
  )
}
