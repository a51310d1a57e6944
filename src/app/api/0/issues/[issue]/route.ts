/** The same issue without its organisation in the address, which is the token's. */
export { GET, PUT } from '../../organizations/[org]/issues/[issue]/route.ts'
