import { submitOrder, subscribe } from './actions.ts'

export default async function OrderPage({ searchParams }: PageProps<'/order'>) {
  const { done } = await searchParams
  return (
    <>
      <h1>Order</h1>
      {done ? <p role="status">Thank you: {done}.</p> : null}
      <form action={submitOrder}>
        <label>
          Pots <input name="quantity" type="number" defaultValue="1" />
        </label>
        <button type="submit">Order</button>
      </form>
      <form action={subscribe}>
        <p>News once a season, by post.</p>
        <button type="submit">Subscribe</button>
      </form>
    </>
  )
}
