export default async function PhotoOverGallery({ params }: { params: Promise<{ id: string }> }) {
  return (
    <aside aria-label="Photo">
      <h2>{(await params).id} over the gallery</h2>
    </aside>
  )
}
