import Link from 'next/link'
import { notFound } from 'next/navigation'
import { formatPrice } from '../../../catalogue/format-price.ts'
import { findItem } from '../../../catalogue/items.ts'

export default async function ItemPage({ params }: PageProps<'/items/[id]'>) {
  const { id } = await params
  const item = findItem(id)
  if (!item) notFound()
  return (
    <>
      <h1>{item.name}</h1>
      <p>{item.note}</p>
      <p>{formatPrice(item.priceCents)}</p>
      <Link href="/order">Order</Link>
    </>
  )
}
