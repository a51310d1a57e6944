'use client'

/** Wrong on purpose: a paragraph may not contain a block, so the browser moves it out before React looks. */
export function Shelf() {
  return (
    <p>
      <div>Three pots on the shelf</div>
    </p>
  )
}
