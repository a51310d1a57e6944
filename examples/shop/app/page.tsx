import Link from 'next/link'
import { formatPrice } from '../catalogue/format-price.ts'
import { listItems } from '../catalogue/items.ts'

export default function HomePage() {
  return (
    <>
      <h1>For people with a patch of green</h1>
      <ul className="items">
        {listItems().map(item => (
          <li key={item.id} className="row">
            <Link href={`/items/${item.id}`}>{item.name}</Link>
            <span>{formatPrice(item.priceCents)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
