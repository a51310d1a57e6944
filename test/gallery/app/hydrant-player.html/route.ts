/** Stands for the document that plays recordings: it says what that would say, and draws a picture that never changes. */
const page = `<!doctype html>
<title>Player</title>
<body style="margin: 0; display: grid; place-items: center; min-height: 100vh; font: 20px sans-serif; background: #fff">
<p>A recorded page</p>
<script>
  const say = (kind, more) => parent.postMessage({ from: 'hydrant-player', kind, ...more }, location.origin)
  addEventListener('message', ({ data }) => data.kind === 'load' && say('built'))
  say('ready')
</script>`

export const GET = () => new Response(page, { headers: { 'content-type': 'text/html' } })
