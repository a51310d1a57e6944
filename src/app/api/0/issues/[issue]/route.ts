/** The same issue without its organization in the address, which is the token's. */
export { GET, PUT } from '../../organizations/[org]/issues/[issue]/route.ts'
