import { ChangeToast } from './change-toast.tsx'

type Props = { organizationSlug: string; undo: string; isDiscarded: boolean }

/** For one who comes from the page of an issue that is gone now. */
export function DoneNote({ organizationSlug, undo, isDiscarded }: Props) {
  const message = isDiscarded ? 'Issue deleted; what comes of this kind is discarded.' : 'Issue deleted.'
  return <ChangeToast state={{ kind: 'done', message, undo }} organizationSlug={organizationSlug} />
}
