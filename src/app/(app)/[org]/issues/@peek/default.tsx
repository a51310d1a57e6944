/** Nothing is open beside the list. */
export default function NoPeek() {
  return null
}
