import type { ReactNode } from 'react'

/** A photo opens over the gallery when one comes from it, and as a page of its own when one loads its address. */
export default function GalleryLayout({ children, modal }: { children: ReactNode; modal: ReactNode }) {
  return (
    <>
      {children}
      {modal}
    </>
  )
}
