/** Steps of visitors to the shop, for its tests and for its recording. */
import type { Page } from 'playwright-core'

export async function open(page: Page, url: string, heading: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { name: heading }).waitFor()
}

export async function press(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('button', { name, exact: true }).click()
}

export async function request(page: Page, button: string, response: string): Promise<void> {
  await press(page, button)
  await page.getByRole('status').filter({ hasText: response }).waitFor()
}

/** On the page of orders. The last order is refused. */
export async function order(page: Page): Promise<void> {
  await press(page, 'Order')
  await page.getByText('Thank you: order').waitFor()
  await press(page, 'Subscribe')
  await page.getByText('Thank you: subscription').waitFor()
  await page.getByLabel('Pots').fill('0')
  await press(page, 'Order')
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
}
