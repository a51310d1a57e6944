type UserColumns = { user_id: string; user_email: string; user_name: string; user_ip: string }

/** Whom an event happened to; null where it says nothing. */
export function describeUser({ user_id, user_email, user_name, user_ip }: UserColumns) {
  if (user_id === '' && user_email === '' && user_name === '' && user_ip === '') return null
  return {
    id: user_id || null,
    email: user_email || null,
    username: user_name || null,
    name: user_name || null,
    ip_address: user_ip || null,
    data: {},
    geo: null,
  }
}
