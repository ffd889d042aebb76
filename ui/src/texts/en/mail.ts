/** Mail that stays on this computer. */
export const mail = {
  emptyTitle: "No mail",
  empty:
    "Emails from your studio, such as the link that confirms an account, appear here. They never leave this computer.",
  unread: "unread",
  fromTo: "From {{from}} to {{to}}",
} as const;
