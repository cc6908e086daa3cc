/** How the standard reactions are counted in statistics. */
export const EMOTIONS = ['Positive', 'Negative', 'Other'] as const;

export type Emotion = (typeof EMOTIONS)[number];

// Telegram's standard reactions. Source: messages.getAvailableReactions.
const EMOJI: Readonly<Record<Emotion, string>> = {
  Positive:
    '👍 ❤ 🔥 🥰 👏 😁 🎉 🤩 🙏 👌 🕊 😍 🐳 ❤‍🔥 💯 🤣 ⚡ 🏆 🍓 🍾 💋 😇 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🆒 💘 🦄 😘 😎 👾',
  Negative: '👎 🤬 😢 🤮 💩 🤡 🥱 🥴 💔 🤨 😐 🖕 😈 😴 😭 😡',
  Other: '🤔 🤯 😱 🌚 🌭 🍌 🤓 👻 👨‍💻 👀 🎃 🙈 😨 🤝 ✍ 🗿 🙉 💊 🙊 🤷‍♂ 🤷 🤷‍♀',
};

const VARIATION = /\ufe0f/g;

const BY_EMOJI = new Map(
  EMOTIONS.flatMap((emotion) => EMOJI[emotion].split(' ').map((emoji) => [emoji, emotion] as const)),
);

/** An emoji without variation selectors, as Telegram names reactions: clients give it with and without them. */
export function toPlainEmoji(emoji: string): string {
  return emoji.replace(VARIATION, '');
}

/** The emotion a standard reaction shows; null for an emoji that is none. */
export function emotionOf(emoji: string): Emotion | null {
  return BY_EMOJI.get(toPlainEmoji(emoji)) ?? null;
}
