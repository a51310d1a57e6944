'use client'

export function Gallery() {
  return <p role="status">Pots, cans and gloves.</p>
}
