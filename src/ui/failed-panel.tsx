import { Blank } from './blank.tsx'
import { RetryButton } from './retry-button.tsx'

/** One panel could not be read; the rest of the page stands. */
export function FailedPanel({ what, reference }: { what: string; reference: string }) {
  return (
    <div className="pane" role="alert">
      <Blank title={`${what} could not be loaded`} actions={<RetryButton />} reference={reference}>
        The database did not answer. Events are still being received and kept.
      </Blank>
    </div>
  )
}
