/** A path segment that may also be empty: an empty id is rejected by name, like every other id that is not a UUID. */
export const BY_ID = '{:id}';
