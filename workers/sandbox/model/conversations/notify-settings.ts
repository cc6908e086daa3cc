/** The notification settings of a conversation: Telegram's defaults, as the sandbox notifies nobody. */
export const NOTIFY_SETTINGS = { _: 'peerNotifySettings' } as const;
