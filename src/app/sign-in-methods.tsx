import { getRuntime } from '#runtime.ts'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { offersPasskeys } from '#web/passkeys.ts'
import { listProviders } from '#web/sso.ts'
import { describeSsoFault } from '#web/start-sso.ts'
import styles from './sign-in-methods.module.css'
import { SignInForm, UsePasskey } from './sign-in-parts.tsx'

/** Every way to sign in that is configured or in use. `next` is the page to open afterwards, `fault` what a provider refused. */
export async function SignInMethods({ next, fault = null }: { next: string; fault?: string | null }) {
  const hasPasskeys = await offersPasskeys()
  const providers = listProviders(getRuntime().config)
  return (
    <>
      {fault === null ? null : <Notice kind="error">{describeSsoFault(fault)}</Notice>}
      {hasPasskeys || providers.length > 0 ? (
        <>
          <div className={styles.others}>
            {hasPasskeys ? <UsePasskey label="Use a passkey" next={next} /> : null}
            {providers.map(({ id, name }) => (
              // Not prefetched: it leads to another server.
              <a key={id} className="btn" href={`/login/sso/${id}?next=${encodeURIComponent(next)}`}>
                Continue with {name}
              </a>
            ))}
          </div>
          <p className={styles.or}>or with a password</p>
        </>
      ) : null}
      <SignInForm next={next} />
      {getRuntime().mailer === null ? null : (
        <p className={styles.or}>
          <Link href="/login/mail">Forgot your password? Get a link by email</Link>
        </p>
      )}
    </>
  )
}
