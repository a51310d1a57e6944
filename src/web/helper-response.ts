/** A script for the pages of others. An hour of caching: its address is stable, so a fix must come through. */
export const helperResponse = (script: string): Response =>
  new Response(script, {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
    },
  })
