/** The minimum of the identity service, which may require more and then says so. */
export const leastPassword = 6;
