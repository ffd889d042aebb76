/** The minimum of the identity service, which may require more and then says so. */
export const minPasswordLength = 6;
