/** The id of the field for a new comment: the page of an issue with this hash opens there. */
export const commentField = 'comment'
