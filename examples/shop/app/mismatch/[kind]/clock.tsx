'use client'

/** Wrong on purpose: it asks the clock while it renders, once on the server and once in the browser. */
export function Clock() {
  return (
    <p>
      Watered <time>{new Date().toISOString().slice(11, 23)}</time>
    </p>
  )
}
