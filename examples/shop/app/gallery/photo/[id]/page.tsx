export default async function PhotoPage({ params }: { params: Promise<{ id: string }> }) {
  return <h1>Photo of {(await params).id}</h1>
}
