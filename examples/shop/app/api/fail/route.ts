export async function POST(): Promise<Response> {
  throw new Error('The payment provider refused the card')
}
