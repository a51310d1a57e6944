'use server'

import { redirect } from 'next/navigation'

/** Fails when the basket is to be called nothing; a tab of an older deploy does not even reach it. */
export async function rename(form: FormData): Promise<void> {
  if (form.get('name') === '') throw new TypeError('A basket needs a name')
  redirect('/failures')
}
