export default function NoPhoto() {
  return null
}
