/** The identity service's own least; it may ask for more and says so. */
export const leastPassword = 6;
