/** How to see the difference the next time: the event alone does not carry it. */
export function HelperHint({ publicUrl }: { publicUrl: string }) {
  return (
    <>
      <p className="t2 mt-2">
        React does not say in production what differed. Hydrant’s browser helper (below 2 KB) keeps the server’s HTML
        until React takes over, and attaches both sides to such an error. Either as a script in the head:
      </p>
      <pre className="howto">{`<script src="${publicUrl}/hydrant-hydration.js"></script>`}</pre>
      <p className="t2 mt-2">
        or saved into the app from <code>{publicUrl}/hydrant-hydration.mjs</code> and added to the SDK:
      </p>
      <pre className="howto">{`import { hydrationIntegration } from './hydrant-hydration.mjs'

Sentry.init({ dsn, integrations: [hydrationIntegration()] })`}</pre>
    </>
  )
}
