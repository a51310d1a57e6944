/** A browser without JavaScript: keeps cookies, follows no redirects, submits HTML forms. */
export type Visitor = {
  /** The cookies of the next request. */
  cookie(): string
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Submits the form that contains the field, with its hidden inputs. */
  submit(path: string, fields: Record<string, string>): Promise<Response>
  /** Calls a server action as Next's client does: the previous state and the form. */
  call(path: string, actionId: string, fields: Record<string, string>): Promise<Response>
}

/** `origin`: of the page whose forms are sent. */
export function createVisitor(url: string, { origin = url } = {}): Visitor {
  const jar = new Map<string, string>()

  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), cookie: cookie(), origin }
    const response = await fetch(url + path, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? []
      if (/max-age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  return {
    cookie,
    get: (path, headers = {}) => send(path, { headers }),
    async submit(path, fields) {
      const html = await (await send(path)).text()
      const first = Object.keys(fields)[0] ?? ''
      const form = html.match(/<form[\s\S]*?<\/form>/g)?.find(text => text.includes(`name="${first}"`)) ?? ''
      const body = new FormData()
      for (const [input] of form.matchAll(/<input type="hidden"[^>]*>/g))
        body.append(attribute(input, 'name'), attribute(input, 'value'))
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      return send(path, { method: 'POST', body })
    },
    call(path, actionId, fields) {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(`_1_${name}`, value)
      body.append('0', JSON.stringify([{ kind: 'idle' }, '$K1']))
      return send(path, { method: 'POST', body, headers: { 'next-action': actionId, accept: 'text/x-component' } })
    },
  }
}

export async function signInVisitor(url: string, email: string, password: string): Promise<Visitor> {
  const visitor = createVisitor(url)
  const response = await visitor.submit('/login', { email, password })
  if (response.status !== 303) throw new Error(`sign-in of ${email} ended with ${response.status}`)
  return visitor
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
