/** The whole of a history, newest first. */
export const WHOLE_HISTORY = {
  offsetId: 0,
  offsetDate: 0,
  addOffset: 0,
  limit: 20,
  maxId: 0,
  minId: 0,
  hash: '0',
};

/** A window over messages that are listed by id alone. */
export const ID_WINDOW = { offsetId: 0, addOffset: 0, limit: 20, maxId: 0, minId: 0 };
