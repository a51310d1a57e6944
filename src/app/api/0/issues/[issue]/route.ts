/** The same route without the organization, which is the token's. */
export { GET, PUT } from '../../organizations/[org]/issues/[issue]/route.ts'
