/** Its own, although empty: Next would look for one in the folders above and find Hydrant's. */
export default {}
