/** Mail that stays on this computer. */
export const mail = {
  emptyTitle: "No mail",
  empty:
    "Messages of your studio, such as the link that confirms an account, land here. They never leave this computer.",
  unread: "unread",
  fromTo: "From {{from}} to {{to}}",
} as const;
