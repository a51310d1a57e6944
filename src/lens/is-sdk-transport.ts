/** Edge SDKs trace their own requests to us: `POST …/api/43/envelope/`. They are not the app's work. */
const transport = /\/api\/\d+\/(?:envelope|store)\/?(?:[?#]|$)/

export const isSdkTransport = (url: string): boolean => url.includes('/api/') && transport.test(url)
