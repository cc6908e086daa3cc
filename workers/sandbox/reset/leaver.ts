/** A user whose data are removed. */
export interface Leaver {
  userId: number;
  /** Whether it stays a member where other accounts are, like a deleted user on Telegram. */
  staysMember: boolean;
}
