import type { GetServerSideProps } from 'next'
import Link from 'next/link'

/** A corner that was never moved to the App Router. */
export const getServerSideProps: GetServerSideProps<{ slug: string }> = async ({ params }) => {
  const slug = String(params?.slug)
  // Longer than the 3.8 s that the router is willing to call a load.
  if (slug === 'slow') await new Promise(resolve => setTimeout(resolve, 4_500))
  return { props: { slug } }
}

export default function LegacyPage({ slug }: { slug: string }) {
  return (
    <main>
      <h1>Legacy: {slug}</h1>
      <Link href="/legacy/new-pots">New pots</Link> <Link href="/legacy/old-pots">Old pots</Link>{' '}
      <Link href="/legacy/slow">Slow pots</Link>
    </main>
  )
}
