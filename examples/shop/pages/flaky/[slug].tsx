import type { GetStaticPaths, GetStaticProps } from 'next'
import { useRouter } from 'next/router'

const tries = new Map<string, number>()

export const getStaticPaths: GetStaticPaths = () => ({ paths: [], fallback: true })

/** Each pot is found at the third try: the router asks again by itself, as it does for pages whose data comes after their shell. */
export const getStaticProps: GetStaticProps<{ slug: string }> = ({ params }) => {
  const slug = String(params?.slug)
  const count = (tries.get(slug) ?? 0) + 1
  tries.set(slug, count)
  if (count < 3) throw new Error(`The shelf of ${slug} is being tidied`)
  return { props: { slug } }
}

export default function FlakyPage({ slug }: { slug: string }) {
  return useRouter().isFallback ? (
    <main>Looking for it…</main>
  ) : (
    <main>
      <h1>Found: {slug}</h1>
    </main>
  )
}
