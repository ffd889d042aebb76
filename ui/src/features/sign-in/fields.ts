/** The identity service's own least; it may ask for more and says so. */
export const leastPassword = 6;

/** What is wrong with an address, before anybody is asked. */
export function addressProblem(email: string): string | null {
  return /^\S+@\S+$/.test(email.trim())
    ? null
    : "Write an email address, like you@example.com.";
}
