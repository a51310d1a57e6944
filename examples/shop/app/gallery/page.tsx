import Link from 'next/link'

export default function GalleryPage() {
  return (
    <>
      <h1>Gallery</h1>
      <ul>
        <li>
          <Link href="/gallery/photo/fern" prefetch={false}>
            Fern
          </Link>
        </li>
        <li>
          <Link href="/shelf" prefetch>
            Shelf, fetched ahead
          </Link>
        </li>
        <li>
          <Link href="/shelf/top/left" prefetch={false}>
            Top shelf, fetched at the click
          </Link>
        </li>
        <li>
          <Link href="/legacy/old-pots">Old pots, in the Pages Router</Link>
        </li>
      </ul>
    </>
  )
}
