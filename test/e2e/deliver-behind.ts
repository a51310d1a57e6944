import type { Page } from 'playwright-core'

/**
 * From the next page on, what the server sends of a navigation arrives line by line. What follows the line with `mark` arrives between two
 * steps of React after that line: one step after it in the first navigation, then two, up to `deliverySteps`. In one of these moments React
 * has just met what is still on its way; on a network this takes luck.
 */
export const deliverySteps = 5

export async function deliverBehind(page: Page, mark: string): Promise<void> {
  await page.addInitScript(
    ({ marked, most }) => {
      type Line = { isMarked: boolean; send(): void }
      const held: Line[] = []
      const sendAll = () => {
        for (const line of held.splice(0)) line.send()
      }
      /** Steps since the marked line; null before it. */
      let steps: number | null = null
      let wanted = 0
      setInterval(() => {
        if (steps !== null) return
        const line = held.shift()
        if (line?.isMarked) {
          steps = 0
          setTimeout(sendAll, 2_000) // fewer steps than wanted
        }
        line?.send()
      }, 20)
      const { postMessage } = MessagePort.prototype
      // React plans each of its steps with a message to itself.
      MessagePort.prototype.postMessage = function (...given: [message: unknown]) {
        if (steps !== null && ++steps === wanted) sendAll()
        return postMessage.apply(this, given)
      }
      const { fetch } = window
      window.fetch = async (input, init) => {
        const response = await fetch(input, init)
        if (!response.headers.get('content-type')?.startsWith('text/x-component')) return response
        const lines = (await response.text()).split(/(?<=\n)/)
        const encoder = new TextEncoder()
        steps = null
        wanted = (wanted % most) + 1
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const line of lines)
              held.push({ isMarked: line.includes(marked), send: () => controller.enqueue(encoder.encode(line)) })
            held.push({ isMarked: false, send: () => controller.close() })
          },
        })
        const { url, redirected, status, headers } = response
        return Object.defineProperties(new Response(body, { status, headers }), {
          url: { value: url },
          redirected: { value: redirected },
        })
      }
    },
    { marked: mark, most: deliverySteps },
  )
}
