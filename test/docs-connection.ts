import type { Connection } from '#ui/snippets/snippet.ts'

/** Placeholders of the documentation; the project page has the DSN and the names of the reader. */
export const docsConnection: Connection = {
  dsn: 'https://<key>@hydrant.example.com/<project id>',
  publicUrl: 'https://hydrant.example.com',
  publicKey: '<key>',
  projectId: 1,
  organization: 'acme',
  project: 'web',
}
