import Link from 'next/link'

export default async function DocsPage({ params }: PageProps<'/docs/[...slug]'>) {
  const { slug } = await params
  return (
    <>
      <h1>Care guide: {slug.join(' / ')}</h1>
      <p>Water in the morning, at the root, less often and more.</p>
      <Link href="/docs/care/repotting/spring">Repotting in spring</Link>
    </>
  )
}
