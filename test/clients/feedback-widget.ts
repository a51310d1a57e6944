/** The SDK's own feedback widget in a page of the shop, which does not offer it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { shopDir } from './prepare-shop.ts'

type Feedback = { name: string; email: string; message: string }

const served = '/sdk-modules/'
const imports = {
  '@sentry/feedback': `${served}@sentry/feedback/build/npm/esm/index.js`,
  '@sentry/core': `${served}@sentry/core/build/esm/index.js`,
  '@sentry/conventions/attributes': `${served}@sentry/conventions/dist/attributes.mjs`,
  '@sentry/conventions/op': `${served}@sentry/conventions/dist/op.mjs`,
}

/**
 * Fills in the widget and sends it with a screenshot. The modules are of the same version as those in the shop's bundle, so they find its
 * client. A browser without a screen cannot record one, so the widget gets a picture of the page.
 */
export async function writeFeedback(page: Page, { name, email, message }: Feedback): Promise<void> {
  await page.route(`**${served}**`, async route => {
    const path = new URL(route.request().url()).pathname.slice(served.length)
    const body = await readFile(join(shopDir, 'node_modules', path), 'utf8')
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  const picture = (await page.screenshot()).toString('base64')
  await page.evaluate(replaceScreenRecording, picture)
  await page.evaluate(openWidget, imports)
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Description' }).fill(message)
  await page.getByRole('button', { name: 'Add a screenshot' }).click()
  await page.getByRole('button', { name: 'Remove screenshot' }).waitFor()
  await page.locator('.editor__canvas-container canvas').first().waitFor()
  await page.waitForTimeout(1_000) // the editor draws the picture
  await page.getByRole('button', { name: 'Send Bug Report' }).click()
  await page.getByText('Thank you for your report!').waitFor()
}

async function replaceScreenRecording(base64: string): Promise<void> {
  const image = new Image()
  image.src = `data:image/png;base64,${base64}`
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
  const draw = () => canvas.getContext('2d')?.drawImage(image, 0, 0)
  draw()
  setInterval(draw, 50) // a stream has a frame when something is drawn
  navigator.mediaDevices.getDisplayMedia = async () => canvas.captureStream(20)
}

type Dialog = { appendToDom(): void; open(): void }
type FeedbackModule = {
  buildFeedbackIntegration(parts: object): (options: object) => { createForm(): Promise<Dialog> }
  feedbackModalIntegration: unknown
  feedbackScreenshotIntegration: unknown
}

async function openWidget(imports: Record<string, string>): Promise<void> {
  const map = document.createElement('script')
  map.type = 'importmap'
  map.textContent = JSON.stringify({ imports })
  document.head.append(map)
  const name = '@sentry/feedback'
  const feedback = (await import(name)) as FeedbackModule
  const { feedbackModalIntegration, feedbackScreenshotIntegration } = feedback
  const build = feedback.buildFeedbackIntegration({
    getModalIntegration: () => feedbackModalIntegration,
    getScreenshotIntegration: () => feedbackScreenshotIntegration,
  })
  const form = await build({ autoInject: false, enableScreenshot: true, colorScheme: 'light' }).createForm()
  form.appendToDom()
  form.open()
}
