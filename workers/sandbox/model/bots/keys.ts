/**
 * The keys of bots. The letters are those of `common/keys.ts`.
 *
 *   bot-commands:U      hash: `<scope>|<language>` -> the commands of bot U there
 *   bot-profile:U       hash: `texts:<language>` -> BotTexts of bot U; `menu:<user>`, or `menu:` for everybody else, -> its menu button;
 *                       `group-rights` and `channel-rights` -> what it suggests to be allowed there
 *   callback:U:Q        hash: `asked` -> who pressed a button of bot U; `answer` -> what U said to that; kept for a minute
 */
export function botCommandsKey(userId: number): string {
  return `bot-commands:${userId}`;
}

export function callbackKey(userId: number, queryId: string): string {
  return `callback:${userId}:${queryId}`;
}

export function botProfileKey(userId: number): string {
  return `bot-profile:${userId}`;
}
