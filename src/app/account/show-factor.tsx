import { Link } from '#ui/link.tsx'
import { secondFactorPath } from '#web/safe-path.ts'

/** In the place of controls that change second factors, until the member has shown one. */
export const ShowFactor = () => (
  <div className="form">
    <p className="t2">Before you add, replace or remove a second factor, use the one you have.</p>
    <div className="row">
      <Link className="btn" href={secondFactorPath('/account')}>
        Use your second factor
      </Link>
    </div>
  </div>
)
