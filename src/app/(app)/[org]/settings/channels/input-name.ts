/** The name of a setting's input: what is secret is never sent back to the page. */
export const inputName = ({ name, isSecret }: { name: string; isSecret?: boolean | undefined }): string =>
  `${isSecret ? 'secret' : 'setting'}.${name}`
